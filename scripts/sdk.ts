// npm run sdk
//
// Builds the SDK's npm package, JavaScript with types, and prints its path: dist/hearth-sdk-<version>.tgz.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'packages', 'sdk');
const dist = join(root, 'dist');
const made = mkdtempSync(join(tmpdir(), 'hearth-sdk-'));
try {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [compiler, '-p', source, '--outDir', made], { stdio: 'inherit' });
  const { private: _, ...declared } = JSON.parse(
    readFileSync(join(source, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const published = { ...declared, exports: './index.js', types: './index.d.ts', sideEffects: false };
  writeFileSync(join(made, 'package.json'), JSON.stringify(published, null, 2));
  cpSync(join(root, 'LICENSE'), join(made, 'LICENSE'));
  cpSync(join(root, 'docs', 'sdk.md'), join(made, 'README.md'));
  mkdirSync(dist, { recursive: true });
  const options = { cwd: made, encoding: 'utf8' } as const;
  const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', dist], options);
  console.log(join(dist, name.trim()));
} finally {
  rmSync(made, { recursive: true, force: true });
}
