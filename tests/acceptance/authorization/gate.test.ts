import { beforeAll, describe, expect, test } from '@jest/globals';
import { operations } from '../../support/operations.ts';
import { type Caller, makeWorld, type World } from './cast.ts';
import { type Declared, declared } from './declared.ts';

/** How the gateway answers a caller before it looks at the request. */
type Verdict =
  | 'through'
  | '400 for whom'
  | '401'
  | '401 key_revoked'
  | '403'
  | '403 needs_person'
  | '403 insufficient_scope';

/** The specification's rule, implemented independently of the gateway. */
function expected(declaredOne: Declared, caller: Caller): Verdict {
  const { actsFor, callers, noGroupAi, ownKeyOnly, personOnly, scopes } = declaredOne;
  if (caller.kind === 'revoked') return '401 key_revoked';
  if (callers.has('anonymous') && caller.kind === 'nobody') return 'through';
  if (caller.kind === 'nobody') return '401';
  if (personOnly && caller.kind === 'ai') return '403 needs_person';
  const asItself = callers.has(caller.kind);
  const asApp = caller.byApp === true && callers.has('app');
  // An app acting for a person may do what apps may; the person's own sign-in is different.
  const allowed = caller.byApp && caller.kind === 'person' ? asApp : asItself || asApp;
  // An operation that is open to all still checks what a given credential may do.
  if (!allowed && !callers.has('anonymous')) return '403';
  if (ownKeyOnly && caller.ofGroup) return '403';
  if (caller.kind === 'ai' && scopes.length > 0 && !scopes.some((scope) => caller.scopes!.has(scope)))
    return '403 insufficient_scope';
  if (caller.ofGroup && noGroupAi !== '') return '403';
  if (actsFor !== 'unspecified' && caller.kind === 'app') return '400 for whom';
  if (actsFor === 'person' && caller.ownerless) return '403';
  return 'through';
}

/** Sends a request that fails right after authorization, because of a field that no operation has. */
async function knock({ method, path, hasBody }: Declared, { client }: Caller): Promise<Verdict | string> {
  const filled = path.replace(/\{[a-z_]+\}/g, 'no-such-thing');
  const reply = hasBody
    ? await client.request(method, filled, { no_such_field: true })
    : await client.request(method, `${filled}?no_such_field=1`);
  const { code, field, needs_person: needsPerson, error } = reply.body;
  if (reply.status === 400 && field === 'Svc-Acting-For') return '400 for whom';
  if (reply.status === 400 && code === 'unknown_field') return 'through';
  if (reply.status === 401) return code === 'key_revoked' ? '401 key_revoked' : '401';
  if (reply.status === 403) {
    if (needsPerson === true) return '403 needs_person';
    return /permission|scope/.test(String(error)) ? '403 insufficient_scope' : '403';
  }
  return `${reply.status} ${JSON.stringify(reply.body)}`;
}

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});

describe('who may call which operation', () => {
  test('is tested for every operation of the home', () => {
    const offered = new Set(operations.map(([id]) => id));
    expect(declared.map(({ id }) => id).sort()).toEqual([...offered].sort());
  });

  test.each(declared.map((each) => [each.id, each] as const))('%s', async (_, operation) => {
    const seen: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    for (const caller of world.callers) {
      seen[caller.name] = await knock(operation, caller);
      wanted[caller.name] = expected(operation, caller);
    }
    expect(seen).toEqual(wanted);
  });

  test('matches the tools offered to each caller', async () => {
    for (const caller of world.callers.filter(({ kind }) => ['ai', 'app'].includes(kind))) {
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
      const { body } = await caller.client.post('/mcp?tools=all', list);
      const listed = (body.result.tools as { name: string }[]).map(({ name }) => name).sort();
      const may = declared.filter((operation) => operation.tool && expected(operation, caller) === 'through');
      expect({ caller: caller.name, listed }).toEqual({
        caller: caller.name,
        listed: may.map(({ id }) => id).sort(),
      });
    }
  });
});
