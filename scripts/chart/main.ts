// npm run chart
//
// Generates files of deploy/helm/hearth from declarations: values.yaml, its schema, the README, alerts, dashboards.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chartFiles } from './files.ts';

const folder = fileURLToPath(new URL('../../deploy/helm/hearth', import.meta.url));
for (const [name, text] of Object.entries(chartFiles())) {
  const path = join(folder, name);
  if (textOf(path) === text) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`deploy/helm/hearth/${name} written`);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
