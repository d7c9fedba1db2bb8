// npm run docs
//
// Regenerates the documents' tables from declarations: variables, limits, statuses, operations.
import { readFileSync, writeFileSync } from 'node:fs';
import { documents } from './documents.ts';
import { withFreshTables } from './tables.ts';

for (const { path, url } of documents()) {
  const present = readFileSync(url, 'utf8');
  const fresh = withFreshTables(present);
  if (fresh === present) continue;
  writeFileSync(url, fresh);
  console.log(`${path} written`);
}
