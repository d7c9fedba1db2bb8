import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { startAuthorizingProxy } from './support/authorizing-proxy.ts';
import { startWholeHome } from './support/whole-home.ts';

/**
 * The public server scenarios (@modelcontextprotocol/conformance) against a running home. They know no credentials,
 * without which a home answers nothing over MCP, so a proxy adds one.
 */

/** Scenarios that need features a home does not have, by the beginning of their names, with the reason. */
const inapplicable: Readonly<Record<string, string>> = {
  'logging-set-level': 'a home sends its clients no log',
  'completion-complete': 'a home has neither prompts nor templates to complete',
  'tools-call-': 'it calls a tool of its own making, and the tools of a home are its operations',
  'json-schema-2020-12': 'the same',
  'http-custom-header-server-validation': 'the same, a tool with x-mcp-header',
  'elicitation-': 'a home asks nothing of its clients',
  'input-required-result-': 'a home asks nothing of its clients',
  'server-sse-': 'it needs a session and streams; a home keeps nothing between two messages',
  'resources-': 'a home offers no resources',
  'sep-2164-resource-not-found': 'a home offers no resources',
  'prompts-': 'a home offers no prompts',
};

/** Checks in other scenarios that need the same. */
const untestable = [
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2549-prompts-list-caching-hints',
  'sep-2549-resources-list-caching-hints',
  'sep-2549-resources-templates-list-caching-hints',
];

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

const root = join(import.meta.dirname, '..', '..', '..');
const program = join(root, 'node_modules', '.bin', 'conformance');
const folder = mkdtempSync(join(tmpdir(), 'hearth-conformance-'));

const home = await startWholeHome();
const proxy = await startAuthorizingProxy(home.url, (await home.signUp()).key);

afterAll(async () => {
  await proxy.stop();
  await home.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Every scenario of a revision, with its checks. */
async function judge(revision: string): Promise<Map<string, Check[]>> {
  const results = join(folder, revision);
  const line = ['server', '--url', `${proxy.url}/mcp`, '--suite', 'all'];
  await new Promise((resolve) => {
    // It exits with an error because of the missing features: the results have the details.
    execFile(process.execPath, [program, ...line, '--spec-version', revision, '-o', results], resolve);
  });
  const found = readdirSync(results).map((name): [string, Check[]] => {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)!;
    return [scenario!, JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8'))];
  });
  return new Map(found);
}

test.each([
  ['2025-11-25', { 'server-initialize': 2, ping: 2, 'tools-list': 3, 'dns-rebinding-protection': 2 }],
  [
    '2026-07-28',
    {
      ...{ 'server-stateless': 24, 'tools-list': 4, caching: 4, 'http-header-validation': 14 },
      'dns-rebinding-protection': 2,
    },
  ],
])(
  'every check of revision %s passes, or requires a feature that a home does not have',
  async (revision, passing) => {
    const scenarios = await judge(revision);
    const applicable = [...scenarios].filter(
      ([name]) => !Object.keys(inapplicable).some((start) => name.startsWith(start)),
    );
    const wrong = applicable.flatMap(([name, checks]) =>
      checks
        .filter(({ id, status }) => /FAILURE|WARNING/.test(status) && !untestable.includes(id))
        .map(({ id, errorMessage }) => `${name}: ${id}: ${errorMessage}`),
    );
    expect(wrong).toEqual([]);
    const passed = applicable.map(([name, checks]) => [
      name,
      checks.filter(({ status }) => status === 'SUCCESS').length,
    ]);
    expect(Object.fromEntries(passed)).toMatchObject(passing);
  },
);
