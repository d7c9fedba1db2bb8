import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { internal } from '@hearth/errors';

export interface PgProgram {
  path: string;
  major: number;
}

/** Debian keeps each major version's programs in a folder of its own, outside PATH. */
const debianFolder = '/usr/lib/postgresql';
/** Where `npm run tools -- pg_dump` puts them. */
const ownFolder = join(import.meta.dirname, '..', '..', '..', '..', '.cache', 'bin');

/**
 * Finds `pg_dump` or `pg_restore` of at least a major version: older ones refuse the server.
 *
 * @param path the variable PATH
 * @throws internal, saying where to get the program, if there is none
 */
export function findPgProgram(name: 'pg_dump' | 'pg_restore', least: number, path: string): PgProgram {
  const folders = [...path.split(delimiter).filter((folder) => folder !== ''), ...debianFolders(), ownFolder];
  const found = folders.map((folder) => programAt(join(folder, name))).filter((program) => program !== null);
  const fit = found.find(({ major }) => major >= least);
  if (fit !== undefined) return fit;
  const older = found.length === 0 ? '' : `; ${found[0]!.path} is of Postgres ${found[0]!.major}`;
  throw internal(
    `${name} of Postgres ${least} or newer is not on the PATH${older}. Run npm run tools -- pg_dump in the project's ` +
      `folder, or install the client programs of Postgres ${least} (https://www.postgresql.org/download)`,
  );
}

function debianFolders(): string[] {
  try {
    return readdirSync(debianFolder).map((version) => join(debianFolder, version, 'bin'));
  } catch {
    return [];
  }
}

function programAt(path: string): PgProgram | null {
  try {
    const said = execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const major = /\(PostgreSQL\) (\d+)/.exec(said)?.[1];
    return major === undefined ? null : { path, major: Number(major) };
  } catch {
    return null;
  }
}
