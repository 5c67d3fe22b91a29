"""All that we use of Numba beyond its documented interface, in one place; `tests/compile/test_internals.py` tests each.

Numba's minor version is pinned, since any of these names may go. (numba-cuda's insides are used in `cuda.py` and
`cudagame.py` alone.) What has to be changed in Numba is changed only while a function of ours is built, under
Numba's own lock: another user of Numba in the same process never notices.
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

LINKED = "linked"  # how a function is kept that native code alone calls
ENVIRONMENT = "_ZN08NumbaEnv"  # how Numba names what a function refers to of Python's
COMPILERS = tuple(f"{Path(package.__file__).parent}{os.sep}" for package in (numba, llvmlite))
Cache = _Cache  # what a compiled function asks for code that was kept

_replaced: list[tuple[Any, str, Any]] = []  # (owner, name, our value) while a function of ours is built
_before: list[Any] = []  # Numba's own, meanwhile
_depth = 0  # functions of ours that are being built, one within the other


def versions() -> str:
    """What compiled code depends on beside our sources: Numba, and the LLVM that it brings."""
    return f"numba{numba.__version__}-llvmlite{llvmlite.__version__}"


def rebuilt(target_context: Any, data: Any) -> Any:
    """Compiled code from what `dumps` of its `_reduce()` wrote."""
    *parts, environments = data
    if parts[0][1] != LINKED:
        return compiler.CompileResult._rebuild(target_context, *data)
    # What a linked function refers to is set in whatever it is linked into.
    made = compiler.CompileResult._rebuild(target_context, *parts, ())
    return made._replace(referenced_envs=environments)


def allow_null(function: Any) -> None:
    """Tell LLVM that a function may access memory by way of a null pointer; llvmlite does not know the attribute."""
    set.add(function.attributes, "null_pointer_is_valid")


def is_known(function: Any) -> bool:
    """Whether Numba knows a function of a library by itself."""
    try:
        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(function) is not None
    except (TypingError, ValueError):
        return False


def replaced(owner: Any, name: str, value: Any) -> Any:
    """Have Numba use `value` while a function of ours is built; its own is returned."""
    _replaced.append((owner, name, value))
    return getattr(owner, name)


@contextlib.contextmanager
def building() -> Iterator[None]:
    """A function of ours is being built: the changes that were asked for are in force. Holds Numba's lock."""
    global _depth
    with global_compiler_lock:
        if _depth == 0:
            _before[:] = [getattr(owner, name) for owner, name, _ in _replaced], gc.isenabled()
            for owner, name, value in _replaced:
                setattr(owner, name, value)
            gc.disable()  # among all that the compiler keeps there is hardly any garbage to find
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
    """Whether it is the compiler that failed, be it with a complaint or by a fault of its own; not compiled code."""
    if isinstance(error, NumbaError | UnsupportedBytecodeError):
        return True
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and last.tb_frame.f_code.co_filename.startswith(COMPILERS)


def is_building() -> bool:
    """Whether some thread builds or loads native code, which takes as long as it takes."""
    return _depth > 0


# --- what is changed -------------------------------------------------------------------------------------

# Compiled ints wrap at 64 bits. Numba tells LLVM that they never overflow, which lets it turn x + (1 << 63)
# into something else.
replaced(numbers, "_int_arith_flags", lambda kind: [])

# LLVM may do the same operation in several directions of a board as one on a vector, which Numba leaves off.
replaced(config, "SLP_VECTORIZE", 1)

# Numba times each build, and each build within a build, and tells of every step: that only takes time.
replaced(event, "install_timer", lambda kind, callback: contextlib.nullcontext())
for _told in ("start_event", "end_event"):
    replaced(event, _told, lambda *args, **named: None)
replaced(
    TypeAnnotation, "__str__", lambda self: ""
)  # how a function was typed, as a text that is kept with it
for _talker in (byteflow, interpreter, ssa):
    replaced(_talker._logger, "debug", lambda *args: None)


def _infer_returns_when_new(self: Any) -> Any:
    """What a function returns, by what is known of it so far.

    For each place where a function calls itself, Numba infers the whole function once more to learn it. Once is
    enough as long as no `return` is known to give something else: a search calls itself in many places, and this
    halves the time to compile it.
    """
    known = {self.typevars[variable.name].type for variable in self._get_return_vars()}
    before, answer = self.__dict__.get("_outplay_returns", (None, None))
    if answer is None or not known <= before:
        answer = _infer_returns(self)
        self._outplay_returns = known | {answer, None}, answer
    return answer


_infer_returns = replaced(TypeInferer, "return_types_from_partial", _infer_returns_when_new)


def _remove_unused(function: Any, *_: Any) -> None:
    """Remove what inlining a comprehension leaves over: its function, and what that was made from.

    Numba removes all whose value is not used, `x // y` too, and with it the ZeroDivisionError.
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
    """Whether a statement only gives a name to something, which cannot fail."""
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
    """A copy of a block of a function that is written into another one (`jit.step`).

    Numba copies the function's scope, with all its variables, along with each block. All may have the one scope: it
    is that of this one call.
    """
    return copy.deepcopy(block, {id(block.scope): block.scope})


replaced(inline_closurecall, "copy", python_types.SimpleNamespace(deepcopy=_copied_block))


def _process(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """What Numba does with a function after each pass, but for one thing.

    It finds out which variables there are at the entry of each block. Generators and interpreted code alone ask it.
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
# Most of a build is type inference, and most of that is looking for what a name, an operator or a method means.
# Each of these finds what Numba's own function finds.


def _as_ordered(target: Any, templates: Any, fnkey: Any = "") -> Any:
    """The meanings of a name that a target can use, those made for it first."""
    key = target, tuple(templates)
    found = _ordered.get(key)
    if found is None:
        found = _ordered[key] = _order(target, templates, fnkey)
    return found[:]


def _same_options(self: Any, other: Any) -> Any:
    """Whether two builds have the same options; those that neither was given are the same."""
    if type(self) is not type(other):
        return _equal_options(self, other)
    ours, theirs, options = self._values, other._values, self.options
    return ours == theirs or all(
        ours.get(name, options[name].default) == theirs.get(name, options[name].default)
        for name in ours.keys() | theirs.keys()
    )


def _hash_of_options(self: Any) -> int:
    """Numba's own number, which only the options' names go into."""
    kind = type(self)
    if kind not in _hashes:
        _hashes[kind] = _hash_options(self)
    return _hashes[kind]


def _array_operator(self: Any, args: Any, kws: Any) -> Any:
    """What an operator means for arrays; without one nothing, which Numba finds out last."""
    if any(isinstance(argument, types.ArrayCompatible) for argument in args):
        return _operate_on_arrays(self, args, kws)
    return None


def _variables(self: Any, value: Any) -> list[Any]:
    """The variables in an instruction's parts, as they stand there; asked several times of every instruction."""
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


_without: set[type] = set()  # of the parts of instructions, those in which there is no variable
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
    """The implementation of an overloaded function or method, built once for all callers with like options.

    Whether Python or C can call the caller, and whether it is put into its own caller, makes no difference here.
    """
    options = ConfigStack.top_or_none()
    if options is not None:
        options = options.copy()
        for name in OF_CALLERS:
            options.discard(name)
    key = self.context, tuple(args), tuple(kws.items()), options
    return self._impl_cache[key] if key in self._impl_cache else self._build_impl(key, args, kws)


replaced(_OverloadFunctionTemplate, "_get_impl", _implementation)

# --- what a game leaves out ------------------------------------------------------------------------------
# A search asks `s.has_exchange()`, and the answer is the same for all states of a game. It takes the call's place
# before anything is inferred, so that what the answer rules out is not compiled at all.

KNOWN: list[
    Any
] = []  # functions of a type and a method's name: what it says of all such values; None: it depends
OURS = "outplay."  # the modules whose functions ask so


def _prune(function: Any, arguments: Any) -> Any:
    """Leave out the branches that are never taken."""
    state = next((kind for kind in arguments if isinstance(kind, types.BaseNamedTuple)), None)
    if state is not None and function.func_id.modname.startswith(OURS):
        for block in function.blocks.values():
            _answer_calls(function, block, state)
    return _prune_branches(function, arguments)


def _answer_calls(function: Any, block: Any, state: Any) -> None:
    """Put the answers into a block that are the same for all states of a type."""
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

# --- functions that native code alone calls --------------------------------------------------------------
# Such a function is linked into whatever calls it, and optimised there, once. It needs no machine code of its own,
# nor optimising by itself and again in each of its callers.


def _executable(self: Any, library: Any, fndesc: Any, env: Any) -> Any:
    """The function that Python calls; of one that it cannot call, only something to know it by."""
    if not _defines(library, fndesc.llvm_cpython_wrapper_name):
        if not library._finalized:
            _link(library)
        name = fndesc.qualname.rpartition(".")[2]
        return _dynfunc.make_function(fndesc.lookup_module(), name, "", 0, env, (library,))
    made = _make_executable(self, library, fndesc, env)
    for variable in library._final_module.global_variables:  # of the functions that were linked in
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
    """Put all that the library's function calls beside it; whoever calls it optimises the whole."""
    for other in dict.fromkeys(library._linking_libraries):
        library._reload_init.update(other._reload_init)
        library._final_module.link_in(other._get_module_for_linking(), preserve=True)
    library._finalize_dynamic_globals()
    library._finalized = True


def _optimise_twice(self: Any) -> None:
    """Optimise a function with all that was linked into it, and then again.

    A rule with its loops unrolled has much that only a second look finds; random play is faster for it.
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

# --- faults ----------------------------------------------------------------------------------------------
# Where an exception of compiled code comes from: see faults.py.
lower_inst = Lower.lower_inst
return_user_exc = CPUCallConv.return_user_exc


def located(lower: Any, raising: Any) -> None:
    """Have `lower` build each instruction, and `raising` each way out by an exception."""
    replaced(Lower, "lower_inst", lower)
    replaced(CPUCallConv, "return_user_exc", raising)
