import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Commands that run a registry package with this name if the project has no such program. */
const runsAPackage =
  /(?<![\w.-])(?:npx|bunx|uvx|pipx(?: run)?|npm (?:exec|x|create|init)|(?:pnpm|yarn) (?:dlx|create)|bun (?:x|create)|deno run npm:)(?:\s+-\S+)*\s+(?:--\s+)?(?<name>@?[\w][\w@./-]*)/g;

/** Commands that install a registry package. Paths and addresses do not count. */
const installsAPackage =
  /(?<![\w.-])(?:(?:npm|pnpm|yarn|bun) (?:i|install|add)|pip3? install|uv (?:add|pip install)|pipx install|poetry add|cargo (?:install|add)|brew install|gem install)(?:\s+-\S+)*\s+(?<name>@?[\w][\w@/-]*)/g;

/** Package names that this project owns at a registry: none is published yet (docs/adr/0022). */
const owned = new Set<string>();

/** Commands in a text that fetch a package not owned by this project, whose owner is unknown. */
function strangers(text: string): string[] {
  const ran = [...text.matchAll(runsAPackage)];
  const installed = [...text.matchAll(installsAPackage)].filter(({ groups }) =>
    /hearth/i.test(groups?.name ?? ''),
  );
  return [...ran, ...installed]
    .filter(({ groups }) => !owned.has(groups?.name ?? ''))
    .map(([command]) => command);
}

test.each([
  ['npx hearth key list', 'npx hearth'],
  ['npx --yes hearth@latest', 'npx --yes hearth@latest'],
  ['run `npx -- hearth`', 'npx -- hearth'],
  ['npm exec hearth', 'npm exec hearth'],
  ['npm create hearth', 'npm create hearth'],
  ['npm init hearth', 'npm init hearth'],
  ['pnpm dlx @hearth/cli', 'pnpm dlx @hearth/cli'],
  ['bunx hearth', 'bunx hearth'],
  ['uvx hearth', 'uvx hearth'],
  ['npm install @hearth/sdk', 'npm install @hearth/sdk'],
  ['npm i -g hearth', 'npm i -g hearth'],
  ['pip install --user hearth-sdk', 'pip install --user hearth-sdk'],
])('%s is refused', (text, command) => {
  expect(strangers(`Then ${text} and so on`)).toEqual([command]);
});

test.each([
  './hearth key list',
  'npm install ./dist/hearth-sdk-0.1.0.tgz',
  'npm ci',
  'pip install icalendar',
  'helm install home-a deploy/helm/hearth',
])('%s is allowed', (text) => {
  expect(strangers(text)).toEqual([]);
});

describe('every file of the project', () => {
  test('contains no command that runs or installs somebody else’s package', () => {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
    });
    const files = listed.toString().split('\0').filter(Boolean);
    expect(files.length).toBeGreaterThan(1_000);
    const found = files
      .filter(
        (path) =>
          !/(^|\/)(gen|node_modules)\/|package-lock\.json$|names\.test\.ts$|\.(png|woff2?|ico|tgz|binpb)$/.test(
            path,
          ),
      )
      .filter((path) => statSync(`${root}/${path}`, { throwIfNoEntry: false })?.isFile())
      .flatMap((path) =>
        strangers(readFileSync(`${root}/${path}`, 'utf8')).map((command) => `${path}: ${command}`),
      );
    expect(found).toEqual([]);
  });
});
