import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { urls } from '../support/home.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'hearth-sdk-user-'));
afterAll(() => rmSync(project, { recursive: true }));

/** Runs a program as a user of the package would, in their own project. */
function run(program: string, ...given: string[]): string {
  return execFileSync(program, given, {
    cwd: project,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: project },
  });
}

function blocks(): string[] {
  const text = readFileSync(join(root, 'docs', 'sdk.md'), 'utf8');
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]!);
}

/** The document's shorter code blocks leave it out. */
const given = `import { connect } from '@hearth/sdk';
const key = '';
const home = connect({ url: 'https://home.example', key });
declare function answer(text: string): Promise<void>;
`;

test('the package is installed, its document compiles, and its example runs', () => {
  const packed = execFileSync(process.execPath, [join(root, 'scripts', 'sdk.ts')], { encoding: 'utf8' });
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', packed.trim());
  const [example = '', ...others] = blocks();
  expect(others).toHaveLength(3);
  writeFileSync(join(project, 'example.ts'), example.replace('http://localhost:8080', urls()[0]!));
  for (const [index, block] of others.entries()) {
    const imports = block.includes('connect(') ? "const key = '';\n" : given;
    writeFileSync(join(project, `block-${index}.ts`), `${imports}${block}export {};\n`);
  }
  const options = { strict: true, module: 'nodenext', target: 'es2022', types: [], lib: ['es2023', 'dom'] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
  run(process.execPath, join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.');
  expect(run(process.execPath, 'example.js')).toMatch(/^@free-\S+: Hello, Wren!\n$/);
});
