/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers that kernels draw, singly and eight at a time, against the host's: for seeds,
 * sweeps, replicas, words and sites that need more than 32 bits, as on lattices too large for a
 * test. t_random has known answers for the host's numbers. */
#include <string.h>

#include "paper/bond.clh"
#include "core/state.h"
#include "ocl/source.h"
#include "tap.h"

#define STRIDE 0x80000001u
#define THRESHOLD 0x5A81C3F7u

/* A query: key, index, states of a spin and the width of its field. */
typedef struct query {
    random_key key;
    u32 low, high, q, width;
} query;

/* The answer of a kernel: a block; the spins of eight clusters, STRIDE apart, and of the first one
 * alone; the bonds of eight words, STRIDE apart, and of the first one alone; and the keys of the
 * third replica and of a later sweep. */
typedef struct answer {
    u32 block[4], spins[8], spin, bonds[8], bond;
    random_key replica, later;
} answer;

static const char kernel_text[] =
    "typedef struct query { random_key key; u32 low, high, q, width; } query;\n"
    "typedef struct answer { u32 block[4], spins[8], spin, bonds[8], bond; random_key replica, "
    "later; } answer;\n"
    "kernel void t_numbers(global const query *queries, global answer *answers)\n"
    "{\n"
    "    const query query = queries[get_global_id(0)];\n"
    "    const ulong index = (ulong)query.high << 32 | query.low;\n"
    "    const ulong8 lanes = index + (ulong8)(0, 1, 2, 3, 4, 5, 6, 7) * STRIDE;\n"
    "    answer answer;\n"
    "    philox_block block = random_block(query.key, PURPOSE_SITE, index, 5);\n"
    "    for (u32 k = 0; k < 4; k++)\n"
    "        answer.block[k] = block.v[k];\n"
    "    vstore8(convert_uint8(random_spins(query.key, PURPOSE_CLUSTER, lanes, query.q, "
    "query.width)), 0, answer.spins);\n"
    "    answer.spin = random_spin(query.key, PURPOSE_CLUSTER, index, query.q, query.width);\n"
    "    uint8 undecided, active = draw_bonds8(0xFFFFFFFFu, query.key, 1, lanes, THRESHOLD, "
    "&undecided);\n"
    "    u32 bonds[8], left[8];\n"
    "    vstore8(active, 0, bonds);\n"
    "    vstore8(undecided, 0, left);\n"
    "    for (u32 k = 0; k < 8; k++)\n"
    "        answer.bonds[k] = draw_bonds_from(2, bonds[k], left[k], query.key, 1, index + "
    "(ulong)k * STRIDE, THRESHOLD << 8);\n"
    "    answer.bond = draw_bonds(0xFFFFFFFFu, query.key, 1, index, THRESHOLD, 0);\n"
    "    answer.replica = replica_key(query.key, 2);\n"
    "    answer.later = later_key(query.key, 0x300000005ul);\n"
    "    answers[get_global_id(0)] = answer;\n"
    "}\n";

static clup_context *context;

static u32 host_bonds(random_key key, u64 word)
{
    u32 bonds = 0;
    for (u32 j = 0; j < 32; j++)
        bonds |= (u32)random_bond(key, 1, word, j, THRESHOLD, 0) << j;
    return bonds;
}

static answer host_answer(const query *query)
{
    const u64 index = (u64)query->high << 32 | query->low;
    answer answer = {
        .spin = random_spin(query->key, PURPOSE_CLUSTER, index, query->q, query->width),
        .bond = host_bonds(query->key, index),
        .replica = replica_key(query->key, 2),
        .later = later_key(query->key, 0x300000005u)};
    const philox_block block = random_block(query->key, PURPOSE_SITE, index, 5);
    memcpy(answer.block, block.v, sizeof answer.block);
    for (u32 k = 0; k < 8; k++) {
        answer.spins[k] = random_spin(query->key, PURPOSE_CLUSTER, index + (u64)k * STRIDE,
                                      query->q, query->width);
        answer.bonds[k] = host_bonds(query->key, index + (u64)k * STRIDE);
    }
    return answer;
}

/* Builds the kernel, with the headers that kernels get. */
static cl_kernel kernel_of(cl_program *program)
{
    clup_text source = {0};
    char options[96];
    cl_int code;
    NEED(clup_source_load("model/draw_bonds8.clh", &source));
    clup_text_add(&source, "%s", kernel_text);
    snprintf(options, sizeof options, "-cl-std=CL1.2 -DSTRIDE=%uu -DTHRESHOLD=%uu", STRIDE,
             THRESHOLD);
    const char *text = source.data;
    *program = clCreateProgramWithSource(context->handle, 1, &text, &source.length, &code);
    NEED(clup_cl_check(code, "clCreateProgramWithSource"));
    NEED(clup_cl_check(clBuildProgram(*program, 1, &context->device.id, options, NULL, NULL),
                       "clBuildProgram"));
    cl_kernel kernel = clCreateKernel(*program, "t_numbers", &code);
    NEED(clup_cl_check(code, "clCreateKernel"));
    clup_text_free(&source);
    return kernel;
}

static void ask(const query *queries, size_t count, answer *answers)
{
    cl_program program;
    cl_kernel kernel = kernel_of(&program);
    cl_mem from, to;
    NEED(clup_buffer_create(context, count * sizeof *queries, "the queries", &from));
    NEED(clup_buffer_create(context, count * sizeof *answers, "the answers", &to));
    NEED(clup_buffer_write(context, from, 0, count * sizeof *queries, queries));
    NEED(clup_cl_check(clSetKernelArg(kernel, 0, sizeof from, &from), "clSetKernelArg"));
    NEED(clup_cl_check(clSetKernelArg(kernel, 1, sizeof to, &to), "clSetKernelArg"));
    NEED(clup_cl_check(
        clEnqueueNDRangeKernel(context->queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL),
        "clEnqueueNDRangeKernel"));
    NEED(clup_buffer_read(context, to, 0, count * sizeof *answers, answers));
    clup_buffer_free(context, from);
    clup_buffer_free(context, to);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

int main(void)
{
    enum { KEYS = 5, INDICES = 6, STATES = 4, QUERIES = KEYS * INDICES * STATES };
    static const struct {
        u64 seed, sweep;
        u32 replica;
    } keys[KEYS] = {{1, 0, 0},
                    {0x987654321u, 3, 1},
                    {7, 0xFFFFFFFEu, 2},
                    {8, 0x4567FFFFFFFEu, 0x1234},
                    {UINT64_MAX, 0xFFFC00000000u, 65533}};
    static const u64 indices[INDICES] = {0,           5, 0xFFFFFFFFu, 0x100000000u, 0x212345678u,
                                         0x7FFFFFFFFu};
    static const unsigned states[STATES] = {2, 4, 5, 256};
    static query queries[QUERIES];
    static answer answers[QUERIES];
    unsigned blocks = 0, spins = 0, bonds = 0, steps = 0;
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    for (unsigned k = 0; k < QUERIES; k++) {
        const unsigned key = k % KEYS, q = states[k / KEYS / INDICES];
        const u64 index = indices[k / KEYS % INDICES];
        queries[k] = (query){clup_random_key(keys[key].seed, keys[key].replica, keys[key].sweep),
                             (u32)index, (u32)(index >> 32), q, clup_spin_field(q)};
    }
    ask(queries, QUERIES, answers);
    for (unsigned k = 0; k < QUERIES; k++) {
        const answer wanted = host_answer(&queries[k]), *got = &answers[k];
        blocks += memcmp(got->block, wanted.block, sizeof got->block) != 0;
        spins += memcmp(got->spins, wanted.spins, sizeof got->spins) != 0 ||
                 got->spin != wanted.spin;
        bonds += memcmp(got->bonds, wanted.bonds, sizeof got->bonds) != 0 ||
                 got->bond != wanted.bond;
        steps += memcmp(&got->replica, &wanted.replica, sizeof got->replica) != 0 ||
                 memcmp(&got->later, &wanted.later, sizeof got->later) != 0;
    }
    ok(blocks == 0, "blocks of numbers: %u of %d differ", blocks, QUERIES);
    ok(spins == 0, "new spins, one by one and eight at once: %u of %d differ", spins, QUERIES);
    ok(bonds == 0, "bonds, a word at once and eight: %u of %d differ", bonds, QUERIES);
    ok(steps == 0, "keys of replicas and later sweeps: %u of %d differ", steps, QUERIES);
    clup_context_free(context);
    return done_testing();
}
