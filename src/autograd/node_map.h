/* node_map.h - what an engine knows about nodes, by their address: open addressing, grown when it is half full. */
#ifndef TNI_NODE_MAP_H
#define TNI_NODE_MAP_H

#include "autograd/limits.h"
#include "autograd/node.h"

typedef struct tni_node_map {
    struct tni_node_place {
        const tni_node *node;
        void *value;
    } * places, inline_places[NODE_MAP_INLINE];
    size_t room, count; /* room is a power of two */
} tni_node_map;

void tni_node_map_begin(tni_node_map *map);
void tni_node_map_end(tni_node_map *map);

/* The value of a node; NULL where there is none. */
void *tni_node_map_get(const tni_node_map *map, const tni_node *node);

/* Sets it: not NULL. False, raised, where there is no memory. */
bool tni_node_map_set(tni_node_map *map, const tni_node *node, void *value);
void tni_node_map_remove(tni_node_map *map, const tni_node *node);

#endif
