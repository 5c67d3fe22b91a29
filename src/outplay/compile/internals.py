"""All uses of Numba beyond its documented interface, in one place; `tests/compile/test_internals.py` tests each.

Numba's minor version is pinned, since any of these names may change. (Only `cuda.py` and `cudagame.py` use
numba-cuda's internals.) Numba is patched only while a function of ours is built, under Numba's own lock, so other
users of Numba in the same process are not affected.
"""

import contextlib
import copy
import gc
import os
import types as python_types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba import _dynfunc, config, types
from numba.core import (
    byteflow,
    cgutils,
    compiler,
    event,
    inline_closurecall,
    interpreter,
    ir,
    ir_utils,
    postproc,
    ssa,
    transforms,
    typed_passes,
    untyped_passes,
    utils,
)
from numba.core.annotations.type_annotations import TypeAnnotation
from numba.core.caching import _Cache
from numba.core.callconv import CPUCallConv
from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen, ll
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.datamodel import models
from numba.core.environment import lookup_environment
from numba.core.errors import NumbaError, TypingError, UnsupportedBytecodeError
from numba.core.lowering import Lower
from numba.core.pythonapi import PythonAPI
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.typeconv import Conversion
from numba.core.typeinfer import TypeInferer
from numba.core.typing import context as typing_context
from numba.core.typing.npydecl import NumpyRulesArrayOperator
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    _OverloadFunctionTemplate,
    infer_global,
    signature,
)
from numba.cpython import numbers
from numba.np import arrayobj

__all__ = [
    "AbstractTemplate", "AttributeTemplate", "CPUDispatcher", "Cache", "Conversion", "NumbaError", "TypingError",
    "UnsupportedBytecodeError", "allow_null", "arrayobj", "building", "cgutils", "config", "dumps",
    "global_compiler_lock", "in_compiler", "infer_global", "is_known", "models",
    "normalize_signature", "rebuilt", "replaced", "signature", "versions",
]  # fmt: skip

LINKED = "linked"  # marks a cached function that only native code calls
ENVIRONMENT = "_ZN08NumbaEnv"  # Numba's prefix for a function's environment, its Python objects
COMPILERS = tuple(f"{Path(package.__file__).parent}{os.sep}" for package in (numba, llvmlite))
Cache = _Cache  # the interface of a compiled function's cache

_replaced: list[tuple[Any, str, Any]] = []  # (owner, name, our value) while a function of ours is built
_before: list[Any] = []  # Numba's own values meanwhile
_depth = 0  # how many functions of ours are being built, nested


def versions() -> str:
    """What compiled code depends on apart from our sources: Numba, and its LLVM."""
    return f"numba{numba.__version__}-llvmlite{llvmlite.__version__}"


def rebuilt(target_context: Any, data: Any) -> Any:
    """Compiled code from the pickle of its `_reduce()`."""
    *parts, environments = data
    if parts[0][1] != LINKED:
        return compiler.CompileResult._rebuild(target_context, *data)
    # A linked function's environment is set in the code that it is linked into.
    made = compiler.CompileResult._rebuild(target_context, *parts, ())
    return made._replace(referenced_envs=environments)


def allow_null(function: Any) -> None:
    """Tell LLVM that null pointers in a function are valid; llvmlite does not know the attribute."""
    set.add(function.attributes, "null_pointer_is_valid")


def is_known(function: Any) -> bool:
    """Whether Numba itself can compile a library function."""
    try:
        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(function) is not None
    except (TypingError, ValueError):
        return False


def replaced(owner: Any, name: str, value: Any) -> Any:
    """Make Numba use `value` while a function of ours is built; returns Numba's own value."""
    _replaced.append((owner, name, value))
    return getattr(owner, name)


@contextlib.contextmanager
def building() -> Iterator[None]:
    """Hold Numba's lock and apply the registered patches while a function of ours is built."""
    global _depth
    with global_compiler_lock:
        if _depth == 0:
            _before[:] = [getattr(owner, name) for owner, name, _ in _replaced], gc.isenabled()
            for owner, name, value in _replaced:
                setattr(owner, name, value)
            gc.disable()  # the compiler creates many objects, but hardly any garbage
        _depth += 1
        try:
            yield
        finally:
            _depth -= 1
            if _depth == 0:
                for (owner, name, _), value in zip(_replaced, _before[0], strict=True):
                    setattr(owner, name, value)
                if _before[1]:
                    gc.enable()


def in_compiler(error: BaseException) -> bool:
    """Whether the compiler failed, by an error message or a crash of its own, and not the compiled code."""
    if isinstance(error, NumbaError | UnsupportedBytecodeError):
        return True
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and last.tb_frame.f_code.co_filename.startswith(COMPILERS)


def is_building() -> bool:
    """Whether some thread is building or loading native code, which cannot be interrupted."""
    return _depth > 0


# --- patches ---------------------------------------------------------------------------------------------

# Compiled ints wrap at 64 bits. Numba promises LLVM that they never overflow, and LLVM then miscompiles
# x + (1 << 63).
replaced(numbers, "_int_arith_flags", lambda kind: [])

# LLVM may combine the same operation for several directions of a board into one vector operation; Numba's
# default is off.
replaced(config, "SLP_VECTORIZE", 1)

# Numba times and reports every step of every build, which only costs time.
replaced(event, "install_timer", lambda kind, callback: contextlib.nullcontext())
for _told in ("start_event", "end_event"):
    replaced(event, _told, lambda *args, **named: None)
replaced(TypeAnnotation, "__str__", lambda self: "")  # a typing report
for _talker in (byteflow, interpreter, ssa):
    replaced(_talker._logger, "debug", lambda *args: None)


def _infer_returns_when_new(self: Any) -> Any:
    """Infer a function's return type from what is known so far.

    Numba infers the whole function once more for each of its recursive calls. Once is enough as long as no
    `return` has another type: a search calls itself in many places, and this halves its compile time.
    """
    known = {self.typevars[variable.name].type for variable in self._get_return_vars()}
    before, answer = self.__dict__.get("_outplay_returns", (None, None))
    if answer is None or not known <= before:
        answer = _infer_returns(self)
        self._outplay_returns = known | {answer, None}, answer
    return answer


_infer_returns = replaced(TypeInferer, "return_types_from_partial", _infer_returns_when_new)


def _remove_unused(function: Any, *_: Any) -> None:
    """Remove what inlining a comprehension leaves behind: its function, and what that was made from.

    Numba would remove every unused value, even `x // y`, and with it the ZeroDivisionError.
    """
    blocks = function.blocks.values()
    while True:
        used = {variable.name for block in blocks for each in block.body for variable in _read(each)}
        before = sum(len(block.body) for block in blocks)
        for block in blocks:
            block.body = [
                each for each in block.body if not (_is_mere(each) and each.target.name not in used)
            ]
        if sum(len(block.body) for block in blocks) == before:
            break
    postproc.PostProcessor(function).run()


def _read(statement: Any) -> Any:
    """The variables that a statement reads."""
    reads = statement.value if isinstance(statement, ir.Assign) else statement
    if isinstance(reads, ir.Var):
        return (reads,)
    return reads.list_vars() if isinstance(reads, ir.Inst) else ()


def _is_mere(statement: Any) -> bool:
    """Whether a statement only names something, which cannot fail."""
    if not isinstance(statement, ir.Assign):
        return False
    value = statement.value
    return (
        isinstance(value, ir.Const | ir.Global | ir.FreeVar | ir.Var)
        or isinstance(value, ir.Expr)
        and value.op in MERE
    )


MERE = ("make_function", "build_tuple", "getattr")
for _inliner in (inline_closurecall, typed_passes):
    replaced(_inliner, "dead_code_elimination", _remove_unused)


def _copied_block(block: Any) -> Any:
    """A copy of a block of a function that is inlined into another (`jit.step`).

    Numba copies the function's scope, with all its variables, for each block. All blocks of one call can share one.
    """
    return copy.deepcopy(block, {id(block.scope): block.scope})


replaced(inline_closurecall, "copy", python_types.SimpleNamespace(deepcopy=_copied_block))


def _process(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Numba's analysis of a function after each pass, minus one step.

    The omitted step finds the variables live at each block's entry, which only generators and interpreted code use.
    """
    function = self.func_ir
    if function.is_generator:
        _process_all(self, emit_dels, extend_lifetimes)
        return
    function.blocks = transforms.canonicalize_cfg(function.blocks)
    function.variable_lifetime = postproc.VariableLifetime(function.blocks)
    function.generator_info = None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)


_process_all = replaced(postproc.PostProcessor, "run", _process)

# --- looking things up -----------------------------------------------------------------------------------
# Most of a build is type inference, and most of that is looking up names, operators and methods. Each of these
# functions finds the same as Numba's own, faster.


def _as_ordered(target: Any, templates: Any, fnkey: Any = "") -> Any:
    """The meanings of a name that a target can use; those made for it come first."""
    key = target, tuple(templates)
    found = _ordered.get(key)
    if found is None:
        found = _ordered[key] = _order(target, templates, fnkey)
    return found[:]


def _same_options(self: Any, other: Any) -> Any:
    """Whether two builds have the same options; an option that neither sets counts as the same."""
    if type(self) is not type(other):
        return _equal_options(self, other)
    ours, theirs, options = self._values, other._values, self.options
    return ours == theirs or all(
        ours.get(name, options[name].default) == theirs.get(name, options[name].default)
        for name in ours.keys() | theirs.keys()
    )


def _hash_of_options(self: Any) -> int:
    """Numba's own hash, made from the options' names only."""
    kind = type(self)
    if kind not in _hashes:
        _hashes[kind] = _hash_options(self)
    return _hashes[kind]


def _array_operator(self: Any, args: Any, kws: Any) -> Any:
    """An operator's meaning for arrays; None at once if no argument is an array, which Numba would check last."""
    if any(isinstance(argument, types.ArrayCompatible) for argument in args):
        return _operate_on_arrays(self, args, kws)
    return None


def _variables(self: Any, value: Any) -> list[Any]:
    """The variables in an instruction's parts, in order; called several times for every instruction."""
    found = []
    for part in value.values() if isinstance(value, dict) else value:
        kind = type(part)
        if kind is ir.Var:
            found.append(part)
        elif kind not in _without:
            if isinstance(part, ir.Inst):
                found += part.list_vars()
            elif isinstance(part, list | tuple | dict):
                found += _variables(self, part)
            else:
                _without.add(kind)
    return found


_without: set[type] = set()  # types of instruction parts that contain no variable
replaced(ir.Inst, "_rec_list_vars", _variables)

_ordered: dict[Any, Any] = {}
_hashes: dict[type, int] = {}
_order = replaced(typing_context, "order_by_target_specificity", _as_ordered)
replaced(utils, "order_by_target_specificity", _as_ordered)
_equal_options = replaced(TargetConfig, "__eq__", _same_options)
_hash_options = replaced(TargetConfig, "__hash__", _hash_of_options)
_operate_on_arrays = replaced(NumpyRulesArrayOperator, "generic", _array_operator)

OF_CALLERS = ("no_cpython_wrapper", "no_cfunc_wrapper", "release_gil", "forceinline")


def _implementation(self: Any, args: Any, kws: Any) -> Any:
    """The implementation of an overloaded function or method, built once for all callers with equivalent options.

    Whether Python or C can call the caller, and whether it is inlined, makes no difference here.
    """
    options = ConfigStack.top_or_none()
    if options is not None:
        options = options.copy()
        for name in OF_CALLERS:
            options.discard(name)
    key = self.context, tuple(args), tuple(kws.items()), options
    return self._impl_cache[key] if key in self._impl_cache else self._build_impl(key, args, kws)


replaced(_OverloadFunctionTemplate, "_get_impl", _implementation)

# --- hooks that a game lacks -----------------------------------------------------------------------------
# A search calls `s.has_exchange()`; the answer is the same for all states of a game. The constant replaces the call
# before type inference, so that dead branches are not compiled at all.

KNOWN: list[
    Any
] = []  # functions of a type and a method's name: its constant answer for that type; None: it varies
OURS = "outplay."  # the modules in whose functions this is done


def _prune(function: Any, arguments: Any) -> Any:
    """Remove branches that are never taken."""
    state = next((kind for kind in arguments if isinstance(kind, types.BaseNamedTuple)), None)
    if state is not None and function.func_id.modname.startswith(OURS):
        for block in function.blocks.values():
            _answer_calls(function, block, state)
    return _prune_branches(function, arguments)


def _answer_calls(function: Any, block: Any, state: Any) -> None:
    """Replace a block's calls by their answers where these are the same for all states of a type."""
    for statement in block.find_insts(ir.Assign):
        call = statement.value
        if not (isinstance(call, ir.Expr) and call.op == "call"):
            continue
        method = ir_utils.guard(ir_utils.get_definition, function, call.func)
        if not (isinstance(method, ir.Expr) and method.op == "getattr"):
            continue
        answer = next((told for known in KNOWN if (told := known(state, method.attr)) is not None), None)
        if answer is not None:
            statement.value = ir.Const(answer, call.loc)
            function._definitions[statement.target.name] = [
                statement.value if value is call else value
                for value in function._definitions[statement.target.name]
            ]


_prune_branches = replaced(untyped_passes, "dead_branch_prune", _prune)

# --- functions that only native code calls ---------------------------------------------------------------
# Such a function is linked into its callers and optimised there. It needs neither machine code of its own nor
# optimisation by itself.


def _executable(self: Any, library: Any, fndesc: Any, env: Any) -> Any:
    """The function that Python calls; a mere placeholder for one that Python cannot call."""
    if not _defines(library, fndesc.llvm_cpython_wrapper_name):
        if not library._finalized:
            _link(library)
        name = fndesc.qualname.rpartition(".")[2]
        return _dynfunc.make_function(fndesc.lookup_module(), name, "", 0, env, (library,))
    made = _make_executable(self, library, fndesc, env)
    for variable in library._final_module.global_variables:  # of functions that were linked in
        known = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
        if known is not None:
            library.codegen.set_env(variable.name, known)
    return made


def _defines(library: Any, name: str) -> bool:
    """Whether the library has the code of a function."""
    try:
        return not (library._shared_module or library._final_module).get_function(name).is_declaration
    except NameError:
        return False


def _link(library: Any) -> None:
    """Link the callees of the library's function into it; its callers optimise the whole."""
    for other in dict.fromkeys(library._linking_libraries):
        library._reload_init.update(other._reload_init)
        library._final_module.link_in(other._get_module_for_linking(), preserve=True)
    library._finalize_dynamic_globals()
    library._finalized = True


def _optimise_twice(self: Any) -> None:
    """Optimise a function together with what was linked into it, twice.

    In a rule with unrolled loops the second pass still finds much; it makes random play faster.
    """
    _optimise(self)
    passes, builder = self.codegen._module_pass_manager()
    passes.run(self._final_module, builder)


def _serialized(self: Any) -> Any:
    if self._compiled_object is None:
        return self.name, LINKED, self._get_module_for_linking().as_bitcode()
    return _serialize(self)


def _unserialized(self: Any, data: Any) -> Any:
    name, form, code = data
    if form != LINKED:
        return _unserialize(self, data)
    library = self.create_library(name)
    library._final_module = library._shared_module = ll.parse_bitcode(code)
    library._finalized = True
    return library


_optimise = replaced(CPUCodeLibrary, "_optimize_final_module", _optimise_twice)
_make_executable = replaced(CPUContext, "get_executable", _executable)
_serialize = replaced(CPUCodeLibrary, "serialize_using_object_code", _serialized)
_unserialize = replaced(JITCPUCodegen, "unserialize_library", _unserialized)

# --- results ---------------------------------------------------------------------------------------------
# A tuple that native code returns becomes an object of its class by running Python code, where a Ctrl-C may be heard.
# Numba takes the object for granted and then crashes; here a failure reaches the caller like any other.


def _boxed(self: Any, kind: Any, value: Any, env_manager: Any = None) -> Any:
    """Native code's value as a Python object; NULL, with the exception set, if that fails."""
    if not isinstance(kind, types.BaseTuple):
        return _box(self, kind, value, env_manager)
    builder = self.builder
    made = cgutils.alloca_once_value(builder, self.tuple_new(kind.count))
    for i, item in enumerate(kind):
        with builder.if_then(cgutils.is_not_null(builder, builder.load(made))):
            part = self.from_native_value(item, builder.extract_value(value, i), env_manager)
            with builder.if_else(cgutils.is_null(builder, part)) as (failed, boxed):
                with failed:
                    self.decref(builder.load(made))
                    builder.store(self.get_null_object(), made)
                with boxed:
                    self.tuple_setitem(builder.load(made), i, part)
    if isinstance(kind, types.BaseNamedTuple):
        with builder.if_then(cgutils.is_not_null(builder, builder.load(made))):
            plain = builder.load(made)
            builder.store(self.get_null_object(), made)
            owner = self.unserialize(self.serialize_object(kind.instance_class))
            with builder.if_then(cgutils.is_not_null(builder, owner)):
                builder.store(self.call(owner, plain), made)
                self.decref(owner)
            self.decref(plain)
    return builder.load(made)


_box = replaced(PythonAPI, "from_native_value", _boxed)


# --- faults ----------------------------------------------------------------------------------------------
# The place of an exception in compiled code: see faults.py.
lower_inst = Lower.lower_inst
return_user_exc = CPUCallConv.return_user_exc


def located(lower: Any, raising: Any) -> None:
    """Make `lower` build each instruction, and `raising` each exit by an exception."""
    replaced(Lower, "lower_inst", lower)
    replaced(CPUCallConv, "return_user_exc", raising)
