import { type ApiClient, apiClient } from '@hearth/testkit/home';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { anonymous, newAi, urls } from '../../support/home.ts';
import { notFoundBody } from '../../support/refusals.ts';
import { makeWorld } from './cast.ts';
import { declared } from './declared.ts';
import { rows } from './rows/index.ts';
import type { Row, Verdict, ViewerName } from './rows/row.ts';
import { makeThings } from './things.ts';

let clients: Record<ViewerName, ApiClient>;
let things: Record<string, string>;
let groupAi: ApiClient;

beforeAll(async () => {
  const world = await makeWorld();
  const { ada, fellow, stranger, child, app, otherApp, adasAi } = world;
  clients = {
    ada,
    adasAi: apiClient(urls(), adasAi.key),
    fellow,
    stranger,
    child,
    ownerless: await newAi(),
    app,
    otherApp,
    nobody: anonymous(),
  };
  groupAi = app.as(world.group.group_ai);
  things = await makeThings(world);
});

async function verdict(row: Row, viewer: ViewerName, target: string): Promise<Verdict | string> {
  const client = clients[viewer];
  const reply = await row.act(client, things[target]!, things);
  if (reply.status === 400 && reply.body.field === 'Svc-Acting-For') return 'W';
  if (reply.status === 403 || reply.status === 401) return 'F';
  if (reply.status === 404) {
    const same = JSON.stringify(reply.body) === JSON.stringify(await notFoundBody(client));
    return same ? 'N' : `404 in other words: ${JSON.stringify(reply.body)}`;
  }
  return reply.status < 500 ? 'A' : `${reply.status}`;
}

describe('who may do what to whose objects', () => {
  test.each(rows.map((row) => [row.operation, row] as const))('%s', async (_, row) => {
    const seen: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    for (const [viewer, letters] of Object.entries(row.expected)) {
      for (const [index, target] of row.targets.entries()) {
        const cell = `${viewer} -> ${target}`;
        const letter = letters[index]!;
        const found = await verdict(row, viewer as ViewerName, target);
        wanted[cell] = letter;
        seen[cell] = letter === 'X' && (found === 'N' || found === 'F') ? 'X' : found;
      }
    }
    expect(seen).toEqual(wanted);
  });
});

/** Refusals because of the kind of caller, not because of the request. */
const refusedForGroup = /\bgroup AI\b|\bAI of a group\b|owns you/;

describe("calls for the subjects of an app and a group's AI are checked exactly as declared", () => {
  test.each(rows.map((row) => [row.operation, row] as const))('%s', async (_, row) => {
    const operation = declared.find(({ id }) => id === row.operation)!;
    const { actsFor, callers, noGroupAi, personOnly, scopes } = operation;
    const target = row.targets[0]!;
    // Leaves out an app that is allowed where the act would do harm.
    if (callers.has('app') && (actsFor !== 'unspecified' || 'app' in row.expected)) {
      const asked = (await verdict(row, 'app', target)) === 'W';
      expect({ asked }).toEqual({ asked: actsFor !== 'unspecified' });
    }
    const held = scopes.length === 0 || scopes.some((scope) => ['read', 'notes', 'group'].includes(scope));
    if (!callers.has('ai') || personOnly || !held) return;
    const { body } = await row.act(groupAi, things[target]!, things);
    const error = String(body?.error ?? '');
    if (noGroupAi === '') expect(error).not.toMatch(refusedForGroup);
    else expect(error).toBe(noGroupAi);
  });
});
