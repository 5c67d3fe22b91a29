// Connect Four and fixed-depth alpha-beta by hand in C++: the twin of the shipped class under the shipped
// search. The same position (two bitboards, passed by value), order of moves, evaluation and fail-soft window,
// so the same nodes; it gives the same value, node count and line of best play.
//
// The search is built twice: `listed` writes all actions of a node into an array and then runs through them,
// as a search must that serves every game; `in_place` tests each column just before it is played.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace {

using Board = std::uint64_t;

constexpr int WIDTH = 7, HEIGHT = 6, COLUMN = HEIGHT + 1;
constexpr int ORDER[WIDTH] = {3, 2, 4, 1, 5, 0, 6};
constexpr int STEPS[] = {1, COLUMN - 1, COLUMN, COLUMN + 1};
constexpr Board BOTTOM = ((Board{1} << COLUMN * WIDTH) - 1) / ((Board{1} << COLUMN) - 1);
constexpr Board FULL = BOTTOM * ((Board{1} << HEIGHT) - 1);
constexpr Board ODD = BOTTOM * 0b010101;  // rows 1, 3, 5
constexpr Board CENTRE = ((Board{1} << HEIGHT) - 1) << COLUMN * (WIDTH / 2);
constexpr int WIN = 1'000'000'000, INFINITE = 1'000'000'001;  // a win outranks every evaluation
constexpr int MAX_DEPTH = WIDTH * HEIGHT;

inline Board fours(Board discs, int step) {
    const Board pairs = discs & discs >> step;
    return pairs & pairs >> 2 * step;
}

inline bool has_four(Board discs) {
    Board found = 0;
    for (int step : STEPS) found |= fours(discs, step);
    return found != 0;
}

// The lines of four that hold none of the discs.
inline int open_lines(Board discs) {
    int lines = 0;
    for (int step : STEPS) lines += std::popcount(fours(FULL & ~discs, step));
    return lines;
}

// The squares on which one disc more makes a line of four.
inline Board completing(Board discs) {
    Board found = 0;
    for (int step : STEPS) {
        const Board before = discs << step, after = discs >> step;
        const Board pair_before = before & discs << 2 * step, pair_after = after & discs >> 2 * step;
        found |= pair_before & (discs << 3 * step | after) | pair_after & (discs >> 3 * step | before);
    }
    return found;
}

// Of the evaluation: as in the shipped class they can be changed from one search to the next.
struct Weights {
    std::int64_t open_lines, good_threats, other_threats, centre;
};

struct ConnectFour {
    Board own = 0, opp = 0;

    bool max_moves() const { return std::popcount(own | opp) % 2 == 0; }
    bool legal(int column) const { return !((own | opp) >> (HEIGHT - 1 + COLUMN * column) & 1); }
    bool terminal() const { return has_four(opp) || (own | opp) == FULL; }

    int actions(int* out) const {
        int n = 0;
        for (int column : ORDER) {
            out[n] = column;
            n += legal(column);
        }
        return n;
    }

    ConnectFour result(int column) const {
        const Board taken = own | opp;
        return {opp, own | ((taken + (Board{1} << COLUMN * column)) & ~taken)};
    }

    int utility() const { return !has_four(opp) ? 0 : max_moves() ? -WIN : WIN; }

    int evaluate(const Weights& weights) const {
        const auto [first, second] = max_moves() ? std::pair{own, opp} : std::pair{opp, own};
        const Board empty = FULL & ~(own | opp);
        const Board mine = completing(first) & empty, others = completing(second) & empty;
        return weights.open_lines * (open_lines(second) - open_lines(first))
             + weights.good_threats * (std::popcount(mine & ODD) - std::popcount(others & ~ODD))
             + weights.other_threats * (std::popcount(mine & ~ODD) - std::popcount(others & ODD))
             + weights.centre * (std::popcount(first & CENTRE) - std::popcount(second & CENTRE));
    }
};

struct Line {
    int length = 0;
    int actions[MAX_DEPTH];
};

std::int64_t nodes;
const Weights* weights;
Line lines[MAX_DEPTH + 1];  // the best line from a node with so much depth left

inline void extend_line(int depth, int action) {
    Line& line = lines[depth];
    const Line& child = lines[depth - 1];
    line.length = child.length + 1;
    line.actions[0] = action;
    std::copy(child.actions, child.actions + child.length, line.actions + 1);
}

// Runs `visit` on each action, in order, until it returns true.
template <bool listed, class Visit>
inline void any_action(ConnectFour s, Visit visit) {
    if constexpr (listed) {
        int actions[WIDTH];
        const int n = s.actions(actions);
        for (int i = 0; i < n; ++i)
            if (visit(actions[i])) return;
    } else {
        for (int column : ORDER)
            if (s.legal(column) && visit(column)) return;
    }
}

template <bool listed>
int alphabeta(ConnectFour s, int depth, int alpha, int beta) {
    ++nodes;
    if (s.terminal() || depth == 0) {
        lines[depth].length = 0;
        return s.terminal() ? s.utility() : s.evaluate(*weights);
    }
    if (s.max_moves()) {
        int best = -INFINITE;
        any_action<listed>(s, [&](int action) {
            const int v = alphabeta<listed>(s.result(action), depth - 1, alpha, beta);
            best = std::max(best, v);
            if (v > alpha) {
                alpha = v;
                if (beta <= alpha) return true;
                extend_line(depth, action);
            }
            return false;
        });
        return best;
    }
    int best = INFINITE;
    any_action<listed>(s, [&](int action) {
        const int v = alphabeta<listed>(s.result(action), depth - 1, alpha, beta);
        best = std::min(best, v);
        if (v < beta) {
            beta = v;
            if (beta <= alpha) return true;
            extend_line(depth, action);
        }
        return false;
    });
    return best;
}

template <bool listed>
int search(int depth, const Weights* given, std::int64_t* counted, int* length, int* line) {
    nodes = 0;
    weights = given;
    const int value = alphabeta<listed>({}, depth, -INFINITE, INFINITE);
    *counted = nodes;
    *length = lines[depth].length;
    std::copy(lines[depth].actions, lines[depth].actions + *length, line);
    return value;
}

}  // namespace

extern "C" int listed(int depth, const Weights* given, std::int64_t* counted, int* length, int* line) {
    return search<true>(depth, given, counted, length, line);
}

extern "C" int in_place(int depth, const Weights* given, std::int64_t* counted, int* length, int* line) {
    return search<false>(depth, given, counted, length, line);
}
