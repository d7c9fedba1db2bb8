/**
 * The folder of the server's socket: its cluster's folder, open to its own account only. Windows has no such sockets.
 */
export const socketFolder = process.platform === 'win32' ? '' : '.';

/**
 * Returns the settings of the home's own Postgres, passed on its command line so that a newer home's settings apply to
 * older data, too. Low in memory and processes, and safe: every commit is on disk once acknowledged.
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
    // A home's own Postgres has no replicas; an operator who wants them provides a server with DATABASE_URL.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    min_wal_size: '80MB',
    max_wal_size: '512MB',
    io_method: 'sync',
    // As files in the data folder: /dev/shm is small in containers, and keeps what a killed server left.
    dynamic_shared_memory_type: 'mmap',
    min_dynamic_shared_memory: '1MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Statement errors go to the home, which logs them without values; this log is about the server itself.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_autovacuum_min_duration: '-1',
    ...own,
  };
}
