/* tenon/cpp/storage.hpp - allocators, devices, and Storage<Scalar, Allocator>: the memory under typed tensors.
 *
 * An allocator is a policy: a type with device_type, handle() (the library's allocator behind it) and allocate(bytes). A device is a
 * policy too: it names its allocator, and whether the CPU can read its memory. Both are chosen at compile time, and cost nothing then:
 *
 *     Tensor<float, CPU>                                 the library's caching allocator, or the one that tn_set_allocator chose
 *     Tensor<float, CPUWith<PlainAllocator>>             the system's, aligned to 64 bytes
 *     Tensor<float, CPUWith<ArenaAllocator>> t(shape, arena)   an allocator with a state of its own is given to the constructor
 *     Tensor<float, CUDADevice<float>>                   compiles everywhere; making one where there is no driver is TN_ERROR_DEVICE
 *
 * A storage is counted: the memory goes back when the last tensor over it is gone, typed or not.
 */
#ifndef TENON_CPP_STORAGE_HPP
#define TENON_CPP_STORAGE_HPP

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

#include <tenon/cpp/any.hpp>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#define TENON_HAS_MLOCK 1
#else
#define TENON_HAS_MLOCK 0
#endif

namespace tenon {

/* ---- allocators ---------------------------------------------------------------------------------------------------- */

namespace detail {

/* What all allocators share: allocate as a data pointer that frees itself. */
template <class Self> class AllocatorBase {
  public:
    DataPtr allocate(std::size_t bytes) const {
        tn_data_ptr pointer = tn_allocator_allocate(static_cast<const Self &>(*this).handle(), bytes);
        if (!pointer.data && bytes)
            fail();
        return DataPtr(pointer);
    }
};

/* The allocator in use for a device type: NULL, with TN_ERROR_DEVICE, where the type has none. */
template <int32_t Type> struct DeviceAllocator : AllocatorBase<DeviceAllocator<Type>> {
    static constexpr int32_t device_type = Type;
    tn_allocator *handle() const { return tn_get_allocator(Type); }
};

/* An allocator with a state: Core has allocate(bytes) and free(data, bytes), both safe from any thread. A copy shares the state,
 * which lives until the last handle and the last storage made with it are gone. */
template <class Core> class OwnAllocator : public AllocatorBase<OwnAllocator<Core>> {
  public:
    static constexpr int32_t device_type = TN_CPU;
    template <class... Argument> explicit OwnAllocator(const Argument &...argument) {
        core_ = new (std::nothrow) Core(argument...);
        tn_allocator_functions functions = {};
        functions.struct_size = sizeof functions;
        functions.name = Core::name;
        functions.device = TN_DEVICE_CPU;
        functions.ctx = core_;
        functions.allocate = [](void *core, std::size_t bytes) { return static_cast<Core *>(core)->allocate(bytes); };
        functions.free = [](void *core, void *data, std::size_t bytes) { static_cast<Core *>(core)->free(data, bytes); };
        functions.destroy = [](void *core) { delete static_cast<Core *>(core); };
        if (!core_) {
            tn_error_raise(TN_ERROR_MEMORY, Core::name, "no memory for an allocator");
            fail();
            return;
        }
        Own own;
        handle_ = tn_allocator_create(&functions);
        if (!handle_) {
            delete core_;
            core_ = nullptr;
            fail();
        }
    }
    OwnAllocator(const OwnAllocator &other) : handle_(tn_allocator_retain(other.handle_)), core_(other.core_) {}
    OwnAllocator &operator=(const OwnAllocator &other) {
        tn_allocator_retain(other.handle_);
        tn_allocator_release(handle_);
        handle_ = other.handle_;
        core_ = other.core_;
        return *this;
    }
    ~OwnAllocator() { tn_allocator_release(handle_); }
    tn_allocator *handle() const { return handle_; }
    Core &core() const { return *core_; }

  private:
    tn_allocator *handle_ = nullptr;
    Core *core_;
};

constexpr std::size_t allocation_alignment = 64;
inline std::size_t round_up(std::size_t bytes) {
    return (bytes + allocation_alignment - 1) / allocation_alignment * allocation_alignment;
}
inline void *aligned_block(std::size_t bytes) {
    return bytes > PTRDIFF_MAX - allocation_alignment ? nullptr : std::aligned_alloc(allocation_alignment, round_up(bytes));
}

/* Counts what it hands out. */
class CountingCore {
  public:
    static constexpr const char *name = "counting";
    void *allocate(std::size_t bytes) {
        void *data = aligned_block(bytes);
        if (data) {
            calls_++;
            live_++;
            bytes_ += bytes;
            last_ = bytes;
        }
        return data;
    }
    void free(void *data, std::size_t bytes) {
        live_--;
        bytes_ -= bytes;
        std::free(data);
    }
    int64_t calls() const { return calls_; }          /* allocations so far                */
    int64_t live() const { return live_; }            /* of those, not yet given back      */
    std::size_t live_bytes() const { return bytes_; } /* and their bytes                   */
    std::size_t last_bytes() const { return last_; }  /* what the last allocation asked for */

  private:
    std::atomic<int64_t> calls_{0}, live_{0};
    std::atomic<std::size_t> bytes_{0}, last_{0};
};

/* Hands out one block after the other from large chunks, and takes all of them back at once: when the last block in use is
 * given back, it begins again at the first chunk. */
class ArenaCore {
  public:
    static constexpr const char *name = "arena";
    explicit ArenaCore(std::size_t chunk_bytes = std::size_t{1} << 20) : chunk_bytes_(round_up(chunk_bytes)) {}
    ~ArenaCore() {
        while (first_) {
            Chunk *next = first_->next;
            std::free(first_);
            first_ = next;
        }
    }
    void *allocate(std::size_t bytes) {
        Lock lock(busy_);
        if (bytes > PTRDIFF_MAX - sizeof(Chunk) - allocation_alignment)
            return nullptr;
        bytes = round_up(bytes);
        while (now_ && now_->size - used_ < bytes && now_->next) {
            now_ = now_->next;
            used_ = 0;
        }
        if ((!now_ || now_->size - used_ < bytes) && !add_chunk(bytes))
            return nullptr;
        void *data = reinterpret_cast<char *>(now_) + header + used_;
        used_ += bytes;
        live_++;
        return data;
    }
    void free(void *, std::size_t) {
        Lock lock(busy_);
        if (--live_ == 0) {
            now_ = first_;
            used_ = 0;
        }
    }
    int64_t live() const { return live_; }
    std::size_t reserved_bytes() const { return reserved_; }

  private:
    struct Chunk {
        Chunk *next;
        std::size_t size;
    };
    static constexpr std::size_t header = allocation_alignment;
    static_assert(sizeof(Chunk) <= header, "a chunk's header fits before its first block");
    struct Lock { /* held for a few instructions */
        explicit Lock(std::atomic_flag &flag) : flag_(flag) {
            while (flag_.test_and_set(std::memory_order_acquire)) {
            }
        }
        ~Lock() { flag_.clear(std::memory_order_release); }
        std::atomic_flag &flag_;
    };
    bool add_chunk(std::size_t bytes) {
        std::size_t size = bytes > chunk_bytes_ ? bytes : chunk_bytes_;
        Chunk *chunk = static_cast<Chunk *>(aligned_block(size + header));
        if (!chunk)
            return false;
        chunk->size = size;
        chunk->next = nullptr;
        (now_ ? now_->next : first_) = chunk;
        now_ = chunk;
        used_ = 0;
        reserved_ += size;
        return true;
    }
    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
    Chunk *first_ = nullptr, *now_ = nullptr; /* now_ is the last that has blocks */
    std::size_t chunk_bytes_, used_ = 0;
    std::atomic<std::size_t> reserved_{0};
    std::atomic<int64_t> live_{0};
};

/* Memory that the system does not page out: what devices copy from and to without a detour. Where the system refuses to lock it
 * (RLIMIT_MEMLOCK), the memory is ordinary, and reason() says why. */
class PinnedCore {
  public:
    static constexpr const char *name = "pinned";
    /* Whole pages, as the system counts nothing: one block that goes must not unlock a part of another. The last byte of a block says
     * whether it is locked. */
    void *allocate(std::size_t bytes) {
        if (bytes > PTRDIFF_MAX - 2 * page())
            return nullptr;
        unsigned char *data = static_cast<unsigned char *>(std::aligned_alloc(page(), whole(bytes)));
        if (!data)
            return nullptr;
        bool locked = lock(data, whole(bytes));
        data[whole(bytes) - 1] = locked;
        locked_ += locked ? bytes : 0;
        return data;
    }
    void free(void *data, std::size_t bytes) {
        if (static_cast<unsigned char *>(data)[whole(bytes) - 1]) {
            unlock(data, whole(bytes));
            locked_ -= bytes;
        }
        std::free(data);
    }
    std::size_t locked_bytes() const { return locked_; }
    /* Why the last block that was not locked was not; "" when all were. */
    const char *reason() const {
        int number = reason_;
        return number == 0 ? "" : number < 0 ? "this system cannot lock memory" : std::strerror(number);
    }

  private:
#if TENON_HAS_MLOCK
    static std::size_t page() {
        static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        return bytes;
    }
    bool lock(void *data, std::size_t bytes) {
        bool done = mlock(data, bytes) == 0;
        if (!done)
            reason_ = errno;
        return done;
    }
    static void unlock(void *data, std::size_t bytes) { munlock(data, bytes); }
#else
    static std::size_t page() { return 4096; }
    bool lock(void *, std::size_t) {
        reason_ = -1;
        return false;
    }
    static void unlock(void *, std::size_t) {}
#endif
    static std::size_t whole(std::size_t bytes) { return bytes / page() * page() + page(); } /* at least one byte more */
    std::atomic<std::size_t> locked_{0};
    std::atomic<int> reason_{0};
};

} // namespace detail

/* The library's own allocator of each device type: on the CPU the caching one, unless tn_set_allocator chose another. */
template <class Scalar> struct CPUAllocator : detail::DeviceAllocator<TN_CPU> {};
template <class Scalar> struct CUDAAllocator : detail::DeviceAllocator<TN_CUDA> {};
template <class Scalar> struct OpenCLAllocator : detail::DeviceAllocator<TN_OPENCL> {};

/* The system's memory, each time: 64-byte alignment, huge pages from 4 MiB on. */
template <class Scalar> struct PlainAllocator : detail::AllocatorBase<PlainAllocator<Scalar>> {
    static constexpr int32_t device_type = TN_CPU;
    tn_allocator *handle() const { return tn_cpu_allocator_plain(); }
};
template <class Scalar> struct ArenaAllocator : detail::OwnAllocator<detail::ArenaCore> {
    using detail::OwnAllocator<detail::ArenaCore>::OwnAllocator;
};
template <class Scalar> struct CountingAllocator : detail::OwnAllocator<detail::CountingCore> {
    using detail::OwnAllocator<detail::CountingCore>::OwnAllocator;
};
template <class Scalar> struct PinnedAllocator : detail::OwnAllocator<detail::PinnedCore> {
    using detail::OwnAllocator<detail::PinnedCore>::OwnAllocator;
};

/* ---- devices ------------------------------------------------------------------------------------------------------- */

/* The CPU. Kind tells devices apart: tensors of one kind may meet in an operator. */
struct CPUDevice {
    using Kind = CPUDevice;
    static constexpr bool addressable = true; /* the CPU reads its memory */
    static constexpr const char *name = "CPU";
    template <class Scalar> using AllocatorType = CPUAllocator<Scalar>;
    static tn_device device() { return TN_DEVICE_CPU; }
};
using CPU = CPUDevice;

/* The CPU with another allocator. */
template <template <class> class Allocator> struct CPUWith : CPUDevice {
    template <class Scalar> using AllocatorType = Allocator<Scalar>;
};

template <class Tag, int Index> struct DeviceKind {};
struct CUDATag {};
struct OpenCLTag {};

template <class Scalar, int Index = 0> struct CUDADevice {
    using Kind = DeviceKind<CUDATag, Index>;
    using ScalarType = Scalar;
    static constexpr bool addressable = false;
    static constexpr const char *name = "CUDA";
    using AllocatorType = CUDAAllocator<Scalar>;
    static tn_device device() { return TN_DEVICE(TN_CUDA, Index); }
    /* The address on the device of the elements of a storage there. */
    template <class Storage> static Scalar *cuda_data(const Storage &storage) { return storage.data(); }
};

template <class Scalar, int Index = 0> struct OpenCLDevice {
    using Kind = DeviceKind<OpenCLTag, Index>;
    using ScalarType = Scalar;
    static constexpr bool addressable = false;
    static constexpr const char *name = "OpenCL";
    using AllocatorType = OpenCLAllocator<Scalar>;
    static tn_device device() { return TN_DEVICE(TN_OPENCL, Index); }
};

/* A device type that was registered, or is now. Name is a type of the program's with `static constexpr const char *name`, and, where
 * the CPU can read the memory, `static constexpr bool addressable = true`. */
template <class Name> struct RegisteredAllocator : detail::AllocatorBase<RegisteredAllocator<Name>> {
    static int32_t type() {
        static const int32_t number = tn_device_type_register(Name::name);
        return number;
    }
    tn_allocator *handle() const { return tn_get_allocator(type()); }
};
namespace detail {
template <class Name, class = void> struct is_addressable : std::false_type {};
template <class Name>
struct is_addressable<Name, std::void_t<decltype(Name::addressable)>> : std::bool_constant<Name::addressable> {};
} // namespace detail
template <class Name, class Scalar, int Index = 0> struct RegisteredDevice {
    using Kind = DeviceKind<Name, Index>;
    using ScalarType = Scalar;
    static constexpr bool addressable = detail::is_addressable<Name>::value;
    static constexpr const char *name = Name::name;
    using AllocatorType = RegisteredAllocator<Name>;
    static tn_device device() { return TN_DEVICE(RegisteredAllocator<Name>::type(), Index); }
};

namespace detail {

/* A device's allocator for a scalar type: a template of the device, or one type. */
template <class Device, class Scalar, class = void> struct allocator_of { using type = typename Device::AllocatorType; };
template <class Device, class Scalar>
struct allocator_of<Device, Scalar, std::void_t<typename Device::template AllocatorType<Scalar>>> {
    using type = typename Device::template AllocatorType<Scalar>;
};
template <class Device, class Scalar, class = void> struct device_takes : std::true_type {};
template <class Device, class Scalar>
struct device_takes<Device, Scalar, std::void_t<typename Device::ScalarType>>
    : std::is_same<typename Device::ScalarType, Scalar> {};
template <class Device> struct is_cuda : std::false_type {};
template <class Scalar, int Index> struct is_cuda<CUDADevice<Scalar, Index>> : std::true_type {};

} // namespace detail

template <class Device, class Scalar>
using allocator_of_t = typename detail::allocator_of<Device, std::remove_const_t<Scalar>>::type;

/* ---- storage ------------------------------------------------------------------------------------------------------- */

/* A block of elements of one type, shared: a copy is one more reference. data() is the first element's address. */
template <class Scalar, class Allocator = CPUAllocator<Scalar>> class Storage {
    static_assert(!std::is_const<Scalar>::value, "Storage<Scalar>: the memory itself is never const, tensors over it are");
    static_assert(is_scalar<Scalar>,
                  "Storage<Scalar>: not an element type; specialise tenon::scalar_traits<Scalar> to make it one");
    static_assert(std::is_trivially_copyable<Scalar>::value,
                  "Storage<Scalar>: elements are copied as bytes, so the type must be trivially copyable");
    static_assert(alignof(Scalar) <= detail::allocation_alignment, "Storage<Scalar>: memory is aligned to 64 bytes");

  public:
    using value_type = Scalar;
    using AllocatorType = Allocator;

    Storage() = default;
    explicit Storage(int64_t count, const Allocator &allocator = Allocator()) { *this = allocate(count, allocator); }
    /* Over memory of the library, whose bytes it shares: data is where its elements are. `own`: it may be written anew. */
    Storage(AnyStorage storage, Scalar *data, bool own) : storage_(std::move(storage)), data_(data), own_(own) {}
    Storage(const Storage &) = default;
    Storage &operator=(const Storage &) = default;
    Storage(Storage &&other) noexcept
        : storage_(std::move(other.storage_)), data_(std::exchange(other.data_, nullptr)), own_(other.own_) {}
    Storage &operator=(Storage &&other) noexcept {
        storage_ = std::move(other.storage_);
        data_ = std::exchange(other.data_, nullptr);
        own_ = other.own_;
        return *this;
    }

    /* Room for `count` elements, not initialised. One call of the allocator. */
    static Storage allocate(int64_t count, const Allocator &allocator = Allocator()) {
        return allocate(count, allocator.handle());
    }
    static Storage allocate(int64_t count, tn_allocator *handle) {
        Storage made;
        if (!handle || count < 0 || static_cast<std::size_t>(count) > PTRDIFF_MAX / sizeof(Scalar)) {
            if (!handle)
                tn_error_raise(TN_ERROR_ARGUMENT, "allocate", "the allocator is NULL"); /* unless an error says why already */
            else
                tn_error_raise(TN_ERROR_SHAPE, "allocate", "%lld elements of %zu bytes do not fit into memory",
                               static_cast<long long>(count), sizeof(Scalar));
            detail::fail();
            return made;
        }
        made.storage_ = AnyStorage::create(static_cast<std::size_t>(count) * sizeof(Scalar), dtype_of<Scalar>, handle);
        if (made.storage_) {
            made.data_ = static_cast<Scalar *>(tn_storage_mutable_data(made.storage_.get()));
            made.own_ = true;
        }
        return made;
    }

    Scalar *data() { return data_; }
    const Scalar *data() const { return data_; }
    Scalar *mutable_data() const { return data_; }
    int64_t capacity() const { return static_cast<int64_t>(storage_.capacity() / sizeof(Scalar)); } /* in elements */
    int64_t size() const { return static_cast<int64_t>(storage_.nbytes() / sizeof(Scalar)); }
    tn_allocator *allocator() const { return storage_ ? tn_storage_allocator(storage_.get()) : nullptr; } /* borrowed */
    int64_t use_count() const { return storage_.use_count(); }
    bool unique() const { return storage_.unique(); }
    bool replaceable() const { return own_ && unique(); } /* an allocator's memory that nobody else uses */
    bool own() const { return own_; }
    const AnyStorage &dynamic() const { return storage_; }
    explicit operator bool() const { return static_cast<bool>(storage_); }

  private:
    AnyStorage storage_;
    Scalar *data_ = nullptr;
    bool own_ = false; /* the memory is an allocator's, not someone else's that was borrowed */
};

} // namespace tenon

#endif
