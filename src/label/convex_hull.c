/* SPDX-License-Identifier: BSD-3-Clause */
/* Convex hulls by the method of C. B. Barber et al., ACM Trans. Math. Softw. 22, 469 (1996), with
 * whole numbers: each triangle has a list of points beyond its plane. The point that is farthest
 * beyond becomes a corner: triangles that it is beyond of are replaced by those that connect it
 * with the edges around them. A point in the plane of a triangle is not beyond it, as if the point
 * were a little nearer to the middle: so no triangle is without area, and those that are replaced
 * are in one piece. */
#include "label/convex_hull.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING UINT32_MAX

typedef clup_hull_number number;

/* A triangle; across edge k, from corner k to the next one, it has a neighbour. */
typedef struct triangle {
    clup_hull_face face;
    uint32_t neighbour[3];
    uint32_t beyond; /* the first point of its list */
    bool is_gone, is_seen;
} triangle;

/* An edge around triangles that are replaced: of triangle outside, whose edge it is. */
typedef struct edge {
    uint32_t from, to, outside, which;
} edge;

typedef struct list {
    uint32_t *items;
    uint32_t count, room;
} list;

typedef struct hull {
    const clup_hull_point *points;
    uint32_t *next;   /* of a point in its list */
    uint32_t *starts; /* of a corner, the new triangle whose first edge begins there */
    triangle *triangles;
    uint32_t count, room;
    list unused, waiting, seen, fresh; /* numbers of triangles */
    edge *edges;
    uint32_t edge_count, edge_room;
} hull;

/* ---- lists ----------------------------------------------------------------------------------- */

/* Makes room for one more item of an array. */
static clup_status grow(void *array, uint32_t count, uint32_t *room, size_t each)
{
    void **of = array;
    if (count < *room)
        return CLUP_OK;
    const uint32_t more = 2 * *room + 64;
    void *grown = realloc(*of, more * each);
    if (grown == NULL)
        return clup_fail_memory("a convex hull");
    *of = grown;
    *room = more;
    return CLUP_OK;
}

static clup_status push(list *list, uint32_t item)
{
    const clup_status status = grow(&list->items, list->count, &list->room, sizeof *list->items);
    if (status == CLUP_OK)
        list->items[list->count++] = item;
    return status;
}

/* ---- planes ---------------------------------------------------------------------------------- */

static number product(const number normal[3], const clup_hull_point *point)
{
    return normal[0] * point->at[0] + normal[1] * point->at[1] + normal[2] * point->at[2];
}

/* How far a point is beyond a triangle, in units of its own; at most 0 where it is not. */
static number beyond_by(const hull *hull, const triangle *of, uint32_t point)
{
    return product(of->face.normal, &hull->points[point]) - of->face.offset;
}

static void normal_of(const clup_hull_point *a, const clup_hull_point *b, const clup_hull_point *c,
                      number normal[3])
{
    number u[3], v[3];
    for (unsigned k = 0; k < 3; k++) {
        u[k] = b->at[k] - a->at[k];
        v[k] = c->at[k] - a->at[k];
    }
    for (unsigned k = 0; k < 3; k++)
        normal[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
}

/* Makes a triangle, whose corners go around counterclockwise as seen from outside. */
static clup_status make(hull *hull, uint32_t a, uint32_t b, uint32_t c, uint32_t *which)
{
    clup_status status = CLUP_OK;
    if (hull->unused.count > 0) {
        *which = hull->unused.items[--hull->unused.count];
    } else {
        CLUP_TRY(grow(&hull->triangles, hull->count, &hull->room, sizeof *hull->triangles));
        *which = hull->count++;
    }
    triangle *made = &hull->triangles[*which];
    *made = (triangle){.face = {.corner = {a, b, c}}, .beyond = NOTHING};
    normal_of(&hull->points[a], &hull->points[b], &hull->points[c], made->face.normal);
    made->face.offset = product(made->face.normal, &hull->points[a]);
done:
    return status;
}

/* ---- the first four corners ------------------------------------------------------------------ */

static number size_of(const number normal[3])
{
    number sum = 0;
    for (unsigned k = 0; k < 3; k++)
        sum += normal[k] < 0 ? -normal[k] : normal[k];
    return sum;
}

/* Finds four points that are not in one plane, far apart. */
static clup_status find_first(const hull *hull, uint32_t count, uint32_t first[4])
{
    const clup_hull_point *points = hull->points;
    number normal[3], best = 0;
    first[0] = first[1] = 0;
    for (uint32_t k = 1; k < count; k++) {
        if (points[k].at[0] < points[first[0]].at[0])
            first[0] = k;
        if (points[k].at[0] > points[first[1]].at[0])
            first[1] = k;
    }
    for (uint32_t k = 0; k < count; k++) {
        normal_of(&points[first[0]], &points[first[1]], &points[k], normal);
        if (size_of(normal) > best) {
            best = size_of(normal);
            first[2] = k;
        }
    }
    if (best == 0)
        return clup_fail(CLUP_ERROR_USAGE, "a convex hull of points in one plane");
    normal_of(&points[first[0]], &points[first[1]], &points[first[2]], normal);
    best = 0;
    for (uint32_t k = 0; k < count; k++) {
        const number apart = product(normal, &points[k]) - product(normal, &points[first[0]]),
                     size = apart < 0 ? -apart : apart;
        if (size <= best)
            continue;
        best = size;
        first[3] = k;
        if (apart > 0) { /* it is beyond the triangle of the others, which is turned around */
            const uint32_t other = first[1];
            first[1] = first[2];
            first[2] = other;
            normal_of(&points[first[0]], &points[first[1]], &points[first[2]], normal);
        }
    }
    return best > 0 ? CLUP_OK : clup_fail(CLUP_ERROR_USAGE, "a convex hull of points in one plane");
}

/* Adds a point to the list of the first of these triangles that it is beyond of, if there is one.
 */
static void give(hull *hull, const list *to, uint32_t point)
{
    for (uint32_t k = 0; k < to->count; k++) {
        triangle *triangle = &hull->triangles[to->items[k]];
        if (beyond_by(hull, triangle, point) > 0) {
            hull->next[point] = triangle->beyond;
            triangle->beyond = point;
            return;
        }
    }
}

static clup_status begin(hull *hull, uint32_t count)
{
    /* the neighbour across each edge of the triangles 0 1 2, 0 3 1, 1 3 2, 2 3 0 */
    static const uint32_t corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}},
                          neighbours[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    uint32_t first[4] = {0}, which;
    clup_status status = CLUP_OK;
    hull->next = malloc(count * sizeof *hull->next);
    hull->starts = malloc(count * sizeof *hull->starts);
    if (hull->next == NULL || hull->starts == NULL)
        CLUP_TRY(clup_fail_memory("a convex hull"));
    CLUP_TRY(find_first(hull, count, first));
    hull->fresh.count = 0;
    for (unsigned k = 0; k < 4; k++) {
        CLUP_TRY(
            make(hull, first[corners[k][0]], first[corners[k][1]], first[corners[k][2]], &which));
        memcpy(hull->triangles[which].neighbour, neighbours[k], sizeof neighbours[k]);
        CLUP_TRY(push(&hull->fresh, which));
        CLUP_TRY(push(&hull->waiting, which));
    }
    for (uint32_t k = 0; k < count; k++)
        give(hull, &hull->fresh, k);
done:
    return status;
}

/* ---- one corner more ------------------------------------------------------------------------- */

/* Takes the point out of the triangle's list that is farthest beyond it. */
static uint32_t take_farthest(hull *hull, triangle *of)
{
    uint32_t best = NOTHING, before_best = NOTHING, before = NOTHING;
    number most = 0;
    for (uint32_t point = of->beyond; point != NOTHING; before = point, point = hull->next[point]) {
        const number by = beyond_by(hull, of, point);
        if (by > most) {
            most = by;
            best = point;
            before_best = before;
        }
    }
    if (before_best == NOTHING)
        of->beyond = hull->next[best];
    else
        hull->next[before_best] = hull->next[best];
    return best;
}

/* Finds the triangles that a point is beyond of, from one of them on, and the edges around them. */
static clup_status look(hull *hull, uint32_t start, uint32_t point)
{
    clup_status status = CLUP_OK;
    hull->seen.count = hull->edge_count = 0;
    hull->triangles[start].is_seen = true;
    CLUP_TRY(push(&hull->seen, start));
    for (uint32_t k = 0; k < hull->seen.count; k++) {
        const triangle *of = &hull->triangles[hull->seen.items[k]];
        for (unsigned e = 0; e < 3; e++) {
            const uint32_t other = of->neighbour[e];
            triangle *beside = &hull->triangles[other];
            if (beside->is_seen)
                continue;
            if (beyond_by(hull, beside, point) > 0) {
                beside->is_seen = true;
                CLUP_TRY(push(&hull->seen, other));
                continue;
            }
            uint32_t which = 0;
            while (beside->face.corner[which] != of->face.corner[(e + 1) % 3])
                which++;
            CLUP_TRY(grow(&hull->edges, hull->edge_count, &hull->edge_room, sizeof *hull->edges));
            hull->edges[hull->edge_count++] = (edge){of->face.corner[e],
                                                     of->face.corner[(e + 1) % 3], other, which};
        }
    }
done:
    return status;
}

/* Connects a point with the edges that look() found. */
static clup_status connect(hull *hull, uint32_t point)
{
    clup_status status = CLUP_OK;
    hull->fresh.count = 0;
    for (uint32_t k = 0; k < hull->edge_count; k++) {
        const edge edge = hull->edges[k];
        uint32_t which;
        CLUP_TRY(make(hull, edge.from, edge.to, point, &which));
        CLUP_TRY(push(&hull->fresh, which));
        hull->triangles[which].neighbour[0] = edge.outside;
        hull->triangles[edge.outside].neighbour[edge.which] = which;
        hull->starts[edge.from] = which;
    }
    for (uint32_t k = 0; k < hull->edge_count; k++) {
        const uint32_t own = hull->fresh.items[k], after = hull->starts[hull->edges[k].to];
        hull->triangles[own].neighbour[1] = after;
        hull->triangles[after].neighbour[2] = own;
    }
done:
    return status;
}

/* Gives the points of triangles that were replaced to the new ones. */
static clup_status pass_on(hull *hull)
{
    clup_status status = CLUP_OK;
    for (uint32_t k = 0; k < hull->seen.count; k++) {
        triangle *gone = &hull->triangles[hull->seen.items[k]];
        for (uint32_t point = gone->beyond, next; point != NOTHING; point = next) {
            next = hull->next[point];
            give(hull, &hull->fresh, point);
        }
        gone->beyond = NOTHING;
        gone->is_gone = true;
        CLUP_TRY(push(&hull->unused, hull->seen.items[k]));
    }
    for (uint32_t k = 0; k < hull->fresh.count; k++)
        if (hull->triangles[hull->fresh.items[k]].beyond != NOTHING)
            CLUP_TRY(push(&hull->waiting, hull->fresh.items[k]));
done:
    return status;
}

static clup_status find(hull *hull, uint32_t count)
{
    clup_status status = CLUP_OK;
    CLUP_TRY(begin(hull, count));
    while (hull->waiting.count > 0) {
        const uint32_t which = hull->waiting.items[hull->waiting.count - 1];
        triangle *of = &hull->triangles[which];
        if (of->is_gone || of->beyond == NOTHING) {
            hull->waiting.count--;
            continue;
        }
        const uint32_t point = take_farthest(hull, of);
        CLUP_TRY(look(hull, which, point));
        CLUP_TRY(connect(hull, point));
        CLUP_TRY(pass_on(hull));
    }
done:
    return status;
}

clup_status clup_convex_hull(const clup_hull_point *points, uint32_t count, clup_hull_face **faces,
                             uint32_t *face_count)
{
    hull hull = {.points = points};
    uint32_t left = 0;
    clup_status status = count > 0 ? find(&hull, count)
                                   : clup_fail(CLUP_ERROR_USAGE, "a convex hull of no points");
    CLUP_TRY(status);
    if ((*faces = malloc(hull.count * sizeof **faces)) == NULL)
        CLUP_TRY(clup_fail_memory("a convex hull"));
    for (uint32_t k = 0; k < hull.count; k++)
        if (!hull.triangles[k].is_gone)
            (*faces)[left++] = hull.triangles[k].face;
    *face_count = left;
done:
    free(hull.next);
    free(hull.starts);
    free(hull.triangles);
    free(hull.unused.items);
    free(hull.waiting.items);
    free(hull.seen.items);
    free(hull.fresh.items);
    free(hull.edges);
    return status;
}
