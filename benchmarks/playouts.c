/* Random games of tic-tac-toe and Connect Four in plain C, as a reference for other libraries.

   For each of them it prints the name, the number of moves, the seconds, and the wins of each side. Open cells or
   columns are in one word, four bits each. Marks are the bits of another word. */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state = 88172645463325252ull;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static inline uint64_t below(uint64_t count) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 32) * count >> 32;
}

static void tell(const char *name, long moves, double took, const long *wins) {
    printf("%s %ld %.6f %ld %ld %ld\n", name, moves, took, wins[0], wins[1], wins[2]);
}

static void tictactoe(long games) {
    static const int lines[8] = {7, 56, 448, 73, 146, 292, 273, 84};
    uint8_t win[512] = {0};
    for (int marks = 0; marks < 512; marks++)
        for (int line = 0; line < 8; line++) win[marks] |= (marks & lines[line]) == lines[line];
    long moves = 0, wins[3] = {0, 0, 0};
    double begin = seconds();
    for (long game = 0; game < games; game++) {
        uint64_t open = 0x876543210ull;
        unsigned own = 0, other = 0, count = 9, swapped;
#pragma GCC unroll 4
        while (count > 5) { /* No side can win yet. */
            uint64_t shift = below(count) * 4, cell = open >> shift & 15;
            own |= 1u << cell;
            count--;
            open ^= (cell ^ (open >> 4 * count & 15)) << shift;
            swapped = own, own = other, other = swapped;
        }
        for (;;) {
            uint64_t shift = below(count) * 4, cell = open >> shift & 15;
            own |= 1u << cell;
            count--;
            if (win[own]) {
                wins[count & 1]++;
                break;
            }
            if (!count) {
                wins[2]++;
                break;
            }
            open ^= (cell ^ (open >> 4 * count & 15)) << shift;
            swapped = own, own = other, other = swapped;
        }
        moves += 9 - count;
    }
    tell("3x3", moves, seconds() - begin, wins);
}

static inline uint64_t has_four(uint64_t marks) {
    uint64_t a = marks & marks >> 1, b = marks & marks >> 7, c = marks & marks >> 8, d = marks & marks >> 6;
    return (a & a >> 2) | (b & b >> 14) | (c & c >> 16) | (d & d >> 12);
}

static void connect_four(long games) {
    uint64_t bottom[7], column[7];
    for (int x = 0; x < 7; x++) bottom[x] = 1ull << 7 * x, column[x] = 63ull << 7 * x;
    long moves = 0, wins[3] = {0, 0, 0};
    double begin = seconds();
    for (long game = 0; game < games; game++) {
        uint64_t open = 0x6543210ull, own = 0, taken = 0;
        unsigned count = 7, ply = 0;
        for (;;) {
            uint64_t shift = below(count) * 4, x = open >> shift & 15;
            uint64_t move = (taken + bottom[x]) & column[x];
            own |= move;
            taken |= move;
            ply++;
            if (has_four(own)) {
                wins[!(ply & 1)]++;
                break;
            }
            if (!((taken + bottom[x]) & column[x])) {
                if (!--count) {
                    wins[2]++;
                    break;
                }
                open ^= (x ^ (open >> 4 * count & 15)) << shift;
            }
            own ^= taken;
        }
        moves += ply;
    }
    tell("7x6:4,gravity", moves, seconds() - begin, wins);
}

int main(int count, char **arguments) {
    long games = count > 1 ? atol(arguments[1]) : 3000000;
    tictactoe(games);
    connect_four(games / 3);
    return 0;
}
