import type { Command, CommandContext } from '../command.ts';
import { Failure } from '../failure.ts';
import { dataFolders } from '../settings.ts';

const needs = `pg_dump and pg_restore of Postgres 18 or newer must be on the PATH; npm run tools -- pg_dump in the project's folder
fetches them.`;

export const backup: Command = {
  name: 'backup',
  summary: "write the home's database to a file, while the home runs or not",
  usage: '<file>',
  help: `<file>                 the file to make; it is there when it is whole, and only you can read it

The database is the one that DATABASE_URL names, or the home's own in its data folder (HEARTH_DATA, or ./data). The backup holds neither
seal.key nor operator.key: keep copies of both, apart from it. Without seal.key it can't be opened. Keep recovery.key away from both.

${needs}`,
  arguments: ['file'],
  options: {},
  async run(context) {
    const [file] = context.args as [string];
    const made = await work(context, ({ backUp }, deps) => backUp(file, deps));
    context.report(
      made,
      () => `${nameOf(made)} is backed up to ${made.file} (${inMegabytes(made.bytes)} MB).
It opens with the seal key of today alone: keep a copy of seal.key apart from it.`,
    );
  },
};

export const restore: Command = {
  name: 'restore',
  summary: 'bring a backup back as the database of a home that has none',
  usage: '<file>',
  help: `<file>                 what hearth backup made

The home must be stopped, and its data folder must hold your copy of seal.key (or HEARTH_SEAL_KEY be given) and no database; with DATABASE_URL,
that database must be empty. Nothing listens for other homes meanwhile, and nothing is left of a restore that fails. Then start the home.

${needs}`,
  arguments: ['file'],
  options: {},
  async run(context) {
    const [file] = context.args as [string];
    const restored = await work(context, (backups, deps) => backups.restore(file, deps));
    const into = restored.folder === null ? 'the database that DATABASE_URL names' : restored.folder;
    context.report(
      restored,
      () => `${nameOf(restored)} is restored into ${into}. Start it as usual.
What happened here since the backup is gone; other homes send again what they sent since.`,
    );
  },
};

type Backups = typeof import('@hearth/runtime/backup');
type BackupDeps = Parameters<Backups['backUp']>[1];

/** Loaded when it is asked for: no other command needs a database. */
async function work<T>(
  { deps }: CommandContext,
  task: (backups: Backups, deps: BackupDeps) => Promise<T>,
): Promise<T> {
  const backups = await import('@hearth/runtime/backup');
  const { env, clock } = deps;
  try {
    return await task(backups, { env, clock, dataFolders: dataFolders(deps) });
  } catch (error) {
    throw new Failure(backups.explain(error));
  }
}

const nameOf = ({ home }: { home: string | null }): string => (home === null ? 'The home' : home);
const inMegabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
