import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { startAuthorizingProxy } from './support/authorizing-proxy.ts';
import { startWholeHome } from './support/whole-home.ts';

/*
 * The public scenarios for servers (@modelcontextprotocol/conformance) against a home as it runs. They know of no
 * credential, without which a home answers nothing over MCP: a proxy puts one in.
 */

const applicable = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

const ownTools = 'it calls a tool of its own making, and the tools of a home are its operations';
const noResources = 'a home offers no resources';
const noPrompts = 'a home offers no prompts';
const noAsking = 'a home asks nothing of its clients';
const noSessions = 'it needs a session and streams; a home keeps nothing between two messages';

/** Those that do not apply, and why. */
const inapplicable: Readonly<Record<string, string>> = {
  'logging-set-level': 'a home sends its clients no log',
  'completion-complete': 'a home has neither prompts nor templates to complete',
  'tools-call-simple-text': ownTools,
  'tools-call-image': ownTools,
  'tools-call-audio': ownTools,
  'tools-call-embedded-resource': ownTools,
  'tools-call-mixed-content': ownTools,
  'tools-call-with-logging': ownTools,
  'tools-call-error': ownTools,
  'tools-call-with-progress': ownTools,
  'tools-call-sampling': noAsking,
  'tools-call-elicitation': noAsking,
  'elicitation-sep1034-defaults': noAsking,
  'elicitation-sep1330-enums': noAsking,
  'json-schema-2020-12': ownTools,
  'server-sse-polling': noSessions,
  'server-sse-multiple-streams': noSessions,
  'resources-list': noResources,
  'resources-read-text': noResources,
  'resources-read-binary': noResources,
  'resources-templates-read': noResources,
  'resources-subscribe': noResources,
  'resources-unsubscribe': noResources,
  'prompts-list': noPrompts,
  'prompts-get-simple': noPrompts,
  'prompts-get-with-args': noPrompts,
  'prompts-get-embedded-resource': noPrompts,
  'prompts-get-with-image': noPrompts,
};

const root = join(import.meta.dirname, '..', '..', '..');
const program = join(root, 'node_modules', '.bin', 'conformance');

function conformance(...args: string[]): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) =>
      resolve({ ok: error === null, output: `${stdout}${stderr}` }),
    );
  });
}

const home = await startWholeHome();
const proxy = await startAuthorizingProxy(home.url, (await home.signUp()).key);

afterAll(async () => {
  await proxy.stop();
  await home.stop();
});

test('every scenario is run, or has a reason why not', async () => {
  const { output } = await conformance('list', '--server');
  const scenarios = [...output.matchAll(/^ {2}- ([a-z0-9-]+)/gm)].map(([, name]) => name);
  expect(scenarios.sort()).toEqual([...applicable, ...Object.keys(inapplicable)].sort());
});

test.each(applicable)('%s', async (scenario) => {
  const { ok, output } = await conformance('server', '--url', `${proxy.url}/mcp`, '--scenario', scenario);
  expect([ok, output]).toEqual([true, expect.stringContaining('SUCCESS')]);
  expect(output).not.toMatch(/FAILURE|WARNING/);
});
