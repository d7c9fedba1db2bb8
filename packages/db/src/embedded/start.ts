import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { internal } from '@hearth/errors';
import { type Random, systemRandom } from '@hearth/ids';
import { type Log, silentLog } from '../types.ts';
import { chooseAccount, isSharedAccount } from './account.ts';
import { prepareBinaries } from './binaries.ts';
import { clusterFolder, prepareCluster } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { endLeftover } from './postmaster.ts';
import { serverSettings, socketFolder } from './settings.ts';
import { supervise } from './supervise.ts';

export interface EmbeddedPostgresOptions {
  /** Holds the data, the password and the log; created if missing, locked while the server runs. */
  folder: string;
  /** TCP port on 127.0.0.1; a free one if 0 or not given. */
  port?: number;
  log?: Log;
  random?: Random;
  /** Postgres settings in addition to, or instead of, the home's own. */
  settings?: Record<string, string>;
  /** The npm package with the programs; found by platform if not given. */
  packageFolder?: string;
}

export interface EmbeddedPostgres {
  /**
   * The same for as long as the home runs, even across server restarts. It names the socket in the cluster's folder,
   * which is cheaper than TCP, or 127.0.0.1 if the path is too long for a socket.
   */
  url: string;
  /** The process id of the current server. */
  readonly pid: number;
  /** Shuts the server down and releases the folder. */
  stop(): Promise<void>;
}

/**
 * Runs a real Postgres for a home that has no other: created in the folder at the first start, and restarted when it
 * ends by itself; it ends with the home.
 *
 * @throws internal, in words for the operator, if another home uses the folder, if the data are of another major
 * version, or if Postgres cannot run here
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = silentLog, random = systemRandom, settings, packageFolder } = options;
  const folder = resolve(options.folder);
  const lock = lockFolder(folder);
  try {
    const account = chooseAccount(clusterFolder(folder));
    if (isSharedAccount(account)) {
      log.warn(
        { uid: account?.uid },
        'root runs this home, and its Postgres runs as nobody, as other programs of this machine may: they can read its data. ' +
          'Run the home as a user of its own, or make a user hearth before the first start',
      );
    }
    const binaries = prepareBinaries({ account, folder, packageFolder });
    const cluster = await prepareCluster(folder, binaries, random);
    await endLeftover(cluster.folder, log);
    const port = options.port || (await freePort());
    const server = await supervise({ cluster, binaries, settings: serverSettings(port, settings), log });
    return {
      url: `postgres://hearth:${cluster.password}@127.0.0.1:${port}/postgres${socketOf(cluster.folder)}`,
      get pid() {
        return server.pid();
      },
      async stop() {
        await server.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A socket path has at most 104 bytes on macOS, and 108 on Linux. */
const longestSocketPath = 103;

function socketOf(folder: string): string {
  const path = join(folder, '.s.PGSQL.65535');
  if (socketFolder === '' || Buffer.byteLength(path) > longestSocketPath) return '';
  return `?host=${encodeURIComponent(folder)}`;
}

function freePort(): Promise<number> {
  return new Promise((done, reject) => {
    const probe = createServer();
    probe.once('error', (error) =>
      reject(internal(`no TCP port is free on 127.0.0.1: ${error.message}`, error)),
    );
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => done(port));
    });
  });
}
