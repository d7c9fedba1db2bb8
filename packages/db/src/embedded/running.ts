import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterFolder } from './cluster.ts';
import { isPostmasterOf, readPostmasterFile } from './postmaster.ts';

/** The address of the server that runs on the cluster of a folder just now; null when none does. */
export function findRunningPostgres(folder: string): string | null {
  const cluster = clusterFolder(folder);
  const password = join(folder, 'password');
  const server = readPostmasterFile(cluster);
  if (server?.port == null || !server.ready || !existsSync(password)) return null;
  if (!isPostmasterOf(cluster, server.pid)) return null;
  return `postgres://hearth:${readFileSync(password, 'utf8').trim()}@127.0.0.1:${server.port}/postgres`;
}
