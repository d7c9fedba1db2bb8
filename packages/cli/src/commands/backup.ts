import type { Command, CommandContext } from '../command.ts';
import { Failure } from '../failure.ts';
import { dataFolders } from '../settings.ts';

const needs = `Requires pg_dump and pg_restore of Postgres 18 or later on the PATH. To fetch them, run npm run tools -- pg_dump in the
project folder.`;

export const backup: Command = {
  name: 'backup',
  summary: "Back up the home's database to a file, whether the home is running or not",
  usage: '<file>',
  help: `<file>                 the file to create, readable only by you. It appears once it is complete

Backs up the database at DATABASE_URL, or the embedded one in the data folder (HEARTH_DATA, default ./data). The backup doesn't include
seal.key or operator.key: keep copies of both in a different place. Without seal.key the backup is useless. Keep recovery.key away from both.

${needs}`,
  arguments: ['file'],
  options: {},
  async run(context) {
    const [file] = context.args as [string];
    const made = await work(context, ({ backUp }, deps) => backUp(file, deps));
    context.report(
      made,
      () => `Backed up ${nameOf(made)} to ${made.file} (${inMegabytes(made.bytes)} MB).
It can only be used with the current seal key: keep a copy of seal.key in a different place.`,
    );
  },
};

export const restore: Command = {
  name: 'restore',
  summary: 'Restore a backup into an empty database',
  usage: '<file>',
  help: `<file>                 a file created by hearth backup

Before you restore, stop the home and put your copy of seal.key in its data folder (or set HEARTH_SEAL_KEY). The data folder must have no
database; if DATABASE_URL is set, that database must be empty. A restore that fails leaves nothing behind. Afterwards, start the home.

${needs}`,
  arguments: ['file'],
  options: {},
  async run(context) {
    const [file] = context.args as [string];
    const restored = await work(context, (backups, deps) => backups.restore(file, deps));
    const into = restored.folder === null ? 'the database at DATABASE_URL' : restored.folder;
    context.report(
      restored,
      () => `Restored ${nameOf(restored)} to ${into}. Start it as usual.
Changes since the backup are lost, except for what other homes sent: they send it again.`,
    );
  },
};

type Backups = typeof import('@hearth/runtime/backup');
type BackupDeps = Parameters<Backups['backUp']>[1];

/** Loaded on demand: no other command needs a database. */
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

const nameOf = ({ home }: { home: string | null }): string => (home === null ? 'the home' : home);
const inMegabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
