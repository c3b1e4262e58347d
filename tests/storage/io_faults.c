/* A disk that fails: preloaded, it makes the N-th call on files below a folder fail, once or from then on.

   IO_FAULTS names a control file. While it is there it says, in one line:

       <folder> <at> <errno> <times> <calls>

   The <at>-th call counts from 1 and from the moment the file was put there (by renaming: it is read anew when it is
   another file); <times> 0 is for ever; <calls> are letters: w write, s sync, t truncate, r read. A write that fails
   has half of its bytes on the disk, as a torn page has. io_faults_calls() says how many calls were counted. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static char folder[4096], letters[16];
static long at, number, times, calls;
static struct stat told;

static int read_control(void) {
    const char *path = getenv("IO_FAULTS");
    struct stat found;
    if (!path || stat(path, &found) != 0) return 0;
    if (found.st_ino == told.st_ino && found.st_mtim.tv_sec == told.st_mtim.tv_sec
        && found.st_mtim.tv_nsec == told.st_mtim.tv_nsec) return 1;
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    int read = fscanf(file, "%4095s %ld %ld %ld %15s", folder, &at, &number, &times, letters);
    fclose(file);
    if (read != 5) return 0;
    told = found;
    calls = 0;
    return 1;
}

static int below_folder(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0;
}

/* Whether this call fails; errno is set then. */
static int fails(int fd, char letter) {
    int before = errno, failing = 0;
    pthread_mutex_lock(&guard);
    if (read_control() && strchr(letters, letter) && below_folder(fd)) {
        calls++;
        failing = calls >= at && (times == 0 || calls < at + times);
    }
    pthread_mutex_unlock(&guard);
    errno = failing ? (int)number : before;
    return failing;
}

long io_faults_calls(void) { return calls; }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define TORN(size) ((size) > 1 ? (size) / 2 : 0)
#define FAILED(call) do { int number_ = errno; if (call) {} errno = number_; return -1; } while (0)

ssize_t write(int fd, const void *bytes, size_t size) {
    if (fails(fd, 'w')) FAILED(REAL(write)(fd, bytes, TORN(size)));
    return REAL(write)(fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t where) {
    if (fails(fd, 'w')) FAILED(REAL(pwrite)(fd, bytes, TORN(size), where));
    return REAL(pwrite)(fd, bytes, size, where);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t where) {
    if (fails(fd, 'w')) FAILED(REAL(pwrite64)(fd, bytes, TORN(size), where));
    return REAL(pwrite64)(fd, bytes, size, where);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t where) {
    return fails(fd, 'r') ? -1 : REAL(pread)(fd, bytes, size, where);
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t where) {
    return fails(fd, 'r') ? -1 : REAL(pread64)(fd, bytes, size, where);
}

int fsync(int fd) { return fails(fd, 's') ? -1 : REAL(fsync)(fd); }

int fdatasync(int fd) { return fails(fd, 's') ? -1 : REAL(fdatasync)(fd); }

int ftruncate(int fd, off_t size) { return fails(fd, 't') ? -1 : REAL(ftruncate)(fd, size); }

int ftruncate64(int fd, off64_t size) { return fails(fd, 't') ? -1 : REAL(ftruncate64)(fd, size); }
