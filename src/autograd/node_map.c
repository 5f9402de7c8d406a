/* node_map.c - see node_map.h. Linear probing; what follows a removed place moves up, so that no gap is left before it. */
#include "autograd/node_map.h"

#include "base/heap.h"

static size_t map_hash(const tni_node_map *map, const tni_node *node) {
    uint64_t bits = (uint64_t)(uintptr_t)node >> 4;
    return (size_t)((bits * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (map->room - 1);
}

/* Where a node is, or the free place where it would be. */
static size_t map_find(const tni_node_map *map, const tni_node *node) {
    size_t at = map_hash(map, node);
    while (map->places[at].node && map->places[at].node != node)
        at = (at + 1) & (map->room - 1);
    return at;
}

void tni_node_map_begin(tni_node_map *map) {
    memset(map->inline_places, 0, sizeof map->inline_places);
    map->places = map->inline_places;
    map->room = NODE_MAP_INLINE;
    map->count = 0;
}

static void map_free(struct tni_node_place *places, const tni_node_map *map, size_t room) {
    if (places != map->inline_places)
        tni_heap_free(places, room * sizeof *places);
}

void tni_node_map_end(tni_node_map *map) { map_free(map->places, map, map->room); }

void *tni_node_map_get(const tni_node_map *map, const tni_node *node) { return map->places[map_find(map, node)].value; }

static bool map_grow(tni_node_map *map) {
    size_t before = map->room;
    struct tni_node_place *old = map->places, *places = tni_heap_calloc(2 * before * sizeof *places);
    if (!places)
        return false;
    map->places = places;
    map->room = 2 * before;
    for (size_t i = 0; i < before; i++)
        if (old[i].node)
            places[map_find(map, old[i].node)] = old[i];
    map_free(old, map, before);
    return true;
}

bool tni_node_map_set(tni_node_map *map, const tni_node *node, void *value) {
    size_t at = map_find(map, node);
    if (!map->places[at].node) {
        if (2 * (map->count + 1) > map->room) {
            if (!map_grow(map))
                return false;
            at = map_find(map, node);
        }
        map->count++;
    }
    map->places[at] = (struct tni_node_place){node, value};
    return true;
}

void tni_node_map_remove(tni_node_map *map, const tni_node *node) {
    size_t mask = map->room - 1, gap = map_find(map, node);
    if (!map->places[gap].node)
        return;
    map->count--;
    for (size_t at = gap;;) {
        at = (at + 1) & mask;
        if (!map->places[at].node)
            break;
        size_t home = map_hash(map, map->places[at].node);
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            map->places[gap] = map->places[at];
            gap = at;
        }
    }
    map->places[gap] = (struct tni_node_place){NULL, NULL};
}
