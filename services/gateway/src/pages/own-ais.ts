import { AiStatusSchema } from '@hearth/proto/common/v1/caller';
import { AisService, type ListedAi } from '@hearth/proto/identity/v1/ais';
import type { Caller } from '@hearth/rpc';
import type { KeyOfAi, OwnAi } from '@hearth/web';
import type { Services } from './services.ts';
import { aiNameOf, msOf, nameOf, scopesOf } from './views.ts';

/** One of the person's AIs, with its keys. */
export interface OwnedAi {
  ai: OwnAi;
  keys: KeyOfAi[];
}

type Deps = Pick<Services, 'ask'>;

const pageSize = 100;
/** The most pages of AIs that are fetched. */
const mostPages = 5;

export async function listOwnAis({ ask }: Deps, caller: Caller): Promise<OwnedAi[]> {
  const all: OwnedAi[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const listed = await ask(AisService.method.listAis, { limit: pageSize, cursor }, caller);
    for (const item of listed.ais) if (item.ai !== undefined) all.push(ownedAi(item));
    cursor = listed.nextCursor;
    if (cursor === undefined || cursor === '') break;
  }
  return all;
}

/** The AI with this id if it is the person's own, else null, as for an unknown id. */
export async function findOwnAi(deps: Deps, caller: Caller, id: string): Promise<OwnedAi | null> {
  const all = await listOwnAis(deps, caller);
  return all.find(({ ai }) => ai.id === id) ?? null;
}

function ownedAi({ ai, keys, lastSeen, undoUntil }: ListedAi): OwnedAi {
  const { id, status, permissions, ownerPrivate, revoked, suspendedUntil } = ai!;
  return {
    ai: {
      ...aiNameOf(ai!),
      id,
      status: nameOf<OwnAi['status']>(AiStatusSchema, status, 'claimed'),
      scopes: scopesOf(permissions),
      ownerPrivate,
      revoked,
      lastActive: [lastSeen, ...keys.map(({ lastUsed }) => lastUsed)]
        .filter((day) => day !== undefined)
        .sort()
        .at(-1),
      suspendedUntilMs: msOf(suspendedUntil),
      undoUntilMs: msOf(undoUntil),
    },
    keys: keys.map(({ prefix, createdAt, lastUsed, endsAt }) => ({
      prefix,
      madeAtMs: msOf(createdAt) ?? 0,
      lastUsed,
      endsAtMs: msOf(endsAt),
    })),
  };
}
