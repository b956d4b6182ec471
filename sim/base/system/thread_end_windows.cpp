// Destroys thread_local objects when their thread ends. With gcc 12 and mingw-w64, a thread's keys are destroyed in the
// order of their creation. The first key (emutls of libgcc) frees the memory of all thread_local objects. The key of
// libstdc++ calls their destructors only afterwards. The key of this file is created before both. The linker redirects
// the registration of destructors to this file (--wrap=__cxa_thread_atexit, sim/CMakeLists.txt).
#include <pthread.h>

#include <cstdlib>
#include <new>

namespace {

struct ThreadObject {
  void (*destroy)(void*);
  void* object;
  ThreadObject* before;  ///< registered before this one
};

pthread_key_t objects_key;

/// Destroys objects in the reverse order of their registration. A destructor may register further objects.
void destroy_objects(void* last) {
  for (auto* at = static_cast<ThreadObject*>(last); at != nullptr;
       at = static_cast<ThreadObject*>(::pthread_getspecific(objects_key))) {
    ::pthread_setspecific(objects_key, at->before);
    at->destroy(at->object);
    delete at;
  }
}

/// Runs before all other constructors, and thus before any thread_local object is used.
__attribute__((constructor(101))) void create_objects_key() {
  ::pthread_key_create(&objects_key, destroy_objects);
  std::atexit([] { destroy_objects(::pthread_getspecific(objects_key)); });  // objects of the main thread
}

}  // namespace

extern "C" int __wrap___cxa_thread_atexit(void (*destroy)(void*), void* object, void* /*library*/) {
  auto* last = static_cast<ThreadObject*>(::pthread_getspecific(objects_key));
  auto* added = new (std::nothrow) ThreadObject{destroy, object, last};
  return added != nullptr ? ::pthread_setspecific(objects_key, added) : -1;
}
