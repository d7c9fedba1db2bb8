import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterFolder } from './cluster.ts';
import { isPostmasterOf, readPostmasterFile } from './postmaster.ts';

/** Returns the address of the server that currently runs on a folder's cluster; null if there is none. */
export function findRunningPostgres(folder: string): string | null {
  const cluster = clusterFolder(folder);
  const password = join(folder, 'password');
  const server = readPostmasterFile(cluster);
  if (server?.port == null || !server.ready || !existsSync(password)) return null;
  if (!isPostmasterOf(cluster, server.pid)) return null;
  return `postgres://hearth:${readFileSync(password, 'utf8').trim()}@127.0.0.1:${server.port}/postgres`;
}
