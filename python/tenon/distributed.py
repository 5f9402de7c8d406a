"""torch.distributed: not available. It can be imported; what needs several processes is an error."""


def is_available():
    """False."""
    return False


def is_initialized():
    """False."""
    return False


def is_torchelastic_launched():
    """False."""
    return False


class ReduceOp:
    """The kinds of reductions, for programs that name them."""

    SUM, AVG, PRODUCT, MIN, MAX = "SUM", "AVG", "PRODUCT", "MIN", "MAX"


class group:
    """The default group, for programs that name it."""

    WORLD = None


def _no():
    return False


is_gloo_available = is_mpi_available = is_nccl_available = is_ucc_available = is_xccl_available = _no


def is_backend_available(backend):
    """False."""
    return False


_CALLS = """all_gather all_gather_coalesced all_gather_into_tensor all_gather_object all_gather_single all_reduce
    all_reduce_coalesced all_to_all all_to_all_single barrier batch_isend_irecv breakpoint broadcast
    broadcast_object_list destroy_process_group gather gather_object get_backend get_backend_config get_debug_level
    get_default_backend_for_device get_global_rank get_group_rank get_node_local_rank get_pg_count
    get_process_group_ranks get_rank get_world_size init_device_mesh init_process_group irecv isend launch
    monitored_barrier new_group new_subgroups new_subgroups_by_enumeration record_comm recv recv_object_list reduce
    reduce_scatter reduce_scatter_single reduce_scatter_tensor register_rendezvous_handler rendezvous scatter
    scatter_object_list send send_object_list set_debug_level set_debug_level_from_env shrink_group split_group
    supports_complex""".split()
_CLASSES = """AllToAllOptions AllreduceCoalescedOptions AllreduceOptions Backend BackendConfig BarrierOptions BroadcastOptions
    BuiltinCommHookType DebugLevel DeviceMesh DistBackendError DistError DistNetworkError DistStoreError FileStore
    FullyShardedDataParallel GatherOptions GradBucket GroupMember GroupName HashStore Logger P2POp PrefixStore
    ProcessGroup ProcessGroupGloo QueueEmptyError ReduceOptions ReduceScatterOptions Reducer ScatterOptions Store
    TCPStore Work ZeroRedundancyOptimizer Join Joinable JoinHook DeviceMesh""".split()


def record(fn, error_handler=None):
    """The function itself: what torch.distributed.elastic writes for its launcher has no reader here."""
    return fn


def __getattr__(name):
    def call(*args, **kwargs):
        raise RuntimeError(f"distributed.{name}: there are no process groups here (distributed.is_available() is False)")
    if name in _CALLS:
        call.__name__ = call.__qualname__ = name
        return call
    if name in _CLASSES:  # to be named in annotations and isinstance; none can be made
        made = type(name, (), {"__init__": call, "__module__": __name__})
        globals()[name] = made
        return made
    raise AttributeError(f"module 'tenon.distributed' has no attribute {name!r}")


_FILES_OF_TORCH = ("distributed_c10d", "fsdp", "elastic", "rpc", "tensor", "checkpoint")
