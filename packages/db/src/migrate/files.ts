import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { internal } from '@hearth/errors';

export interface Migration {
  number: number;
  /** The file name without number and extension: `0002-add-cards.sql` is `add-cards`. */
  name: string;
  file: string;
  text: string;
  /**
   * The index that the file creates outside a transaction, without blocking writes: `0003-by-date.concurrently.sql`.
   */
  concurrentIndex?: string;
  /** SHA-256 of the text with \n line endings, in hex. */
  sha256: string;
}

const fileName = /^(\d{4})-([a-z0-9]+(?:-[a-z0-9]+)*)(\.concurrently)?\.sql$/;
const concurrentIndex = /^create (?:unique )?index concurrently ([a-z][a-z0-9_]*) on [^;]+;?$/;

/** Reads the migrations of a folder in order. Only `.sql` files count; each must be named `0001-what-it-does.sql`. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await listFolder(folder)).filter((file) => file.endsWith('.sql')).sort();
  const migrations: Migration[] = [];
  for (const file of files) {
    const parts = fileName.exec(file);
    if (parts === null) {
      throw internal(`the migration ${join(folder, file)} should be named like 0001-what-it-does.sql`);
    }
    const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
    const number = Number(parts[1]);
    const previous = migrations.at(-1);
    if (previous?.number === number) {
      throw internal(
        `two migrations in ${folder} have one number: ${previous.file} and ${file}; renumber the newer`,
      );
    }
    migrations.push({
      number,
      name: parts[2]!,
      file,
      text,
      ...(parts[3] !== undefined && { concurrentIndex: readConcurrentIndex(file, text) }),
      sha256: sha256(text),
    });
  }
  return migrations;
}

/** Postgres refuses such a statement together with others, and after a crash its index is found by name. */
function readConcurrentIndex(file: string, text: string): string {
  const statement = text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim();
  const name = concurrentIndex.exec(statement)?.[1];
  if (name !== undefined) return name;
  throw internal(
    `the migration ${file} holds one statement: create index concurrently <name> on <table> ..., in small letters`,
  );
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw internal(`the folder of migrations ${folder} cannot be read: ${(error as Error).message}`, error);
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
