/** Where Postgres works, its cluster's folder: open to its own account alone. Windows has no such sockets. */
export const socketFolder = process.platform === 'win32' ? '' : '.';

/**
 * How the home's own Postgres is set up, given on its command line so that a newer home's settings hold
 * for older data too. Small in memory and in processes, and safe: every commit is on disk when it is
 * acknowledged.
 */
export function serverSettings(port: number, own: Record<string, string> = {}): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: socketFolder,
    max_connections: '60',
    shared_buffers: '48MB',
    work_mem: '4MB',
    maintenance_work_mem: '32MB',
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    max_worker_processes: '2',
    // A home's own Postgres has no replicas; an operator who wants them brings one with DATABASE_URL.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    min_wal_size: '80MB',
    max_wal_size: '512MB',
    io_method: 'sync',
    // In files of the data folder: /dev/shm is small in containers, and keeps what a killed server left.
    dynamic_shared_memory_type: 'mmap',
    min_dynamic_shared_memory: '1MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Failures of statements go to the home, which logs them without values; the server's own life goes here.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_autovacuum_min_duration: '-1',
    ...own,
  };
}
