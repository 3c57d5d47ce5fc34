/* The pretend accelerator as a device of its own: a thread that computes while the processor goes on.
 *
 *   stillpool compile model.tflite -o build --workspace-pool sram \
 *       --external conv_2d=device_conv:scratch=256,align=16,device=npu,async \
 *       --external-source asynchronous.c --external-source accelerator.c
 *
 * `queue` is what a device would have as registers: pieces of work in the order of their launches. The handle of the
 * device is not needed here, for there is one; but `device=npu` is, for its hook `npu_activate` switches the device on:
 * launches are refused before. POSIX threads stand for the bus and the interrupt. */
#include <pthread.h>
#include <stddef.h>

#include "stillpool_external_conv2d.h"

#define ROOM 8

STILLPOOL_EXTERNAL int32_t accelerator_conv(const stillpool_external_conv2d *op, const int8_t *input,
    const int8_t *filter, const int32_t *bias, int8_t *output, void *scratch, void *device);
STILLPOOL_EXTERNAL int32_t device_conv(const stillpool_external_conv2d *op, const int8_t *input,
    const int8_t *filter, const int32_t *bias, int8_t *output, void *scratch, void *device);
STILLPOOL_EXTERNAL int32_t device_conv_wait(const stillpool_external_conv2d *op, void *device);
STILLPOOL_EXTERNAL int32_t npu_activate(void *device);
STILLPOOL_EXTERNAL int32_t npu_open(void *device);
STILLPOOL_EXTERNAL int32_t npu_close(void *device);
STILLPOOL_EXTERNAL int32_t npu_deactivate(void *device);

typedef struct {
    const stillpool_external_conv2d *op;
    const int8_t *input;
    const int8_t *filter;
    const int32_t *bias;
    int8_t *output;
    void *scratch;
    int32_t result;
} work_t;

static work_t queue[ROOM];
static int32_t launched, done; /* counts: work `n` stands in queue[n % ROOM] */
static int32_t is_off = 1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t thread;

/* The device: waits for work, does it, says so. */
static void *run_device(void *unused)
{
    (void)unused;
    (void)pthread_mutex_lock(&lock);
    for (;;) {
        work_t work;
        int32_t result;
        while (done == launched && !is_off) {
            (void)pthread_cond_wait(&changed, &lock);
        }
        if (done == launched) {
            break;
        }
        work = queue[done % ROOM];
        (void)pthread_mutex_unlock(&lock);
        result = accelerator_conv(work.op, work.input, work.filter, work.bias, work.output, work.scratch, NULL);
        (void)pthread_mutex_lock(&lock);
        queue[done % ROOM].result = result;
        ++done;
        (void)pthread_cond_broadcast(&changed);
    }
    (void)pthread_mutex_unlock(&lock);
    return NULL;
}

int32_t npu_activate(void *device)
{
    (void)device;
    launched = 0;
    done = 0;
    is_off = 0;
    if (pthread_create(&thread, NULL, run_device, NULL) != 0) {
        is_off = 1;
        return -1;
    }
    return 0;
}

int32_t npu_open(void *device)
{
    (void)device;
    return 0; /* a clock would be switched on here */
}

int32_t device_conv(const stillpool_external_conv2d *op, const int8_t *input, const int8_t *filter,
    const int32_t *bias, int8_t *output, void *scratch, void *device)
{
    work_t work;
    (void)device;
    work.op = op;
    work.input = input;
    work.filter = filter;
    work.bias = bias;
    work.output = output;
    work.scratch = scratch;
    work.result = 0;
    (void)pthread_mutex_lock(&lock);
    if (is_off) {
        (void)pthread_mutex_unlock(&lock);
        return -1;
    }
    while (launched - done == ROOM) {
        (void)pthread_cond_wait(&changed, &lock);
    }
    queue[launched % ROOM] = work;
    ++launched;
    (void)pthread_cond_broadcast(&changed);
    (void)pthread_mutex_unlock(&lock);
    return 0;
}

int32_t device_conv_wait(const stillpool_external_conv2d *op, void *device)
{
    int32_t number, result = -1;
    (void)device;
    (void)pthread_mutex_lock(&lock);
    /* The latest launch of this operator. */
    for (number = launched - 1; number >= 0 && queue[number % ROOM].op != op; --number) {
    }
    while (done <= number) {
        (void)pthread_cond_wait(&changed, &lock);
    }
    if (number >= 0) {
        result = queue[number % ROOM].result;
    }
    (void)pthread_mutex_unlock(&lock);
    return result;
}

int32_t npu_close(void *device)
{
    (void)device;
    return 0;
}

int32_t npu_deactivate(void *device)
{
    (void)device;
    (void)pthread_mutex_lock(&lock);
    is_off = 1;
    (void)pthread_cond_broadcast(&changed);
    (void)pthread_mutex_unlock(&lock);
    return pthread_join(thread, NULL);
}
