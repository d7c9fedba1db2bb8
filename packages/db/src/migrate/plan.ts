import { internal } from '@hearth/errors';
import type { Migration } from './files.ts';

/** A row of `<schema>.migrations`. */
export interface Applied {
  number: number;
  name: string;
  sha256: string;
}

/**
 * Returns the files that are still to be applied. A database ahead of the code is fine: the newer code that migrated it
 * keeps older code working, and a rollback must start. Throws if history was changed: a file edited, removed, or
 * inserted before an applied one.
 */
export function pendingMigrations(schema: string, files: Migration[], applied: Applied[]): Migration[] {
  const newestFile = files.at(-1)?.number ?? 0;
  const newestApplied = Math.max(0, ...applied.map((row) => row.number));
  for (const row of applied) {
    const file = files.find((candidate) => candidate.number === row.number);
    if (file !== undefined) checkUnchanged(schema, file, row);
    else if (row.number < newestFile) {
      throw internal(
        `${schema}: the migration ${print(row)} is applied, and its file is missing; put it back`,
      );
    }
  }
  const pending = files.filter((file) => !applied.some((row) => row.number === file.number));
  const late = pending.find((file) => file.number < newestApplied);
  if (late !== undefined) {
    throw internal(
      `${schema}: the migration ${late.file} comes after number ${newestApplied} was applied; give it a higher number`,
    );
  }
  return pending;
}

function checkUnchanged(schema: string, file: Migration, row: Applied): void {
  if (file.sha256 === row.sha256) return;
  throw internal(
    `${schema}: the migration ${file.file} was changed after it was applied (then as ${print(row)}); put back what it was, and write the change as a new migration`,
  );
}

function print(row: Applied): string {
  return `${String(row.number).padStart(4, '0')}-${row.name}.sql`;
}
