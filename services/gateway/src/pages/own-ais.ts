import { AiStatusSchema } from '@hearth/proto/common/v1/caller';
import type { AisService, ListedAi } from '@hearth/proto/identity/v1/ais';
import { enumWords } from '@hearth/proto-json';
import type { Caller, Client } from '@hearth/rpc';
import type { KeyOfAi, OwnAi } from '@hearth/web';
import { aiNameOf, msOf, scopesOf } from './words.ts';

/** One of the person's AIs with what its page tells of it. */
export interface OwnedAi {
  ai: OwnAi;
  keys: KeyOfAi[];
}

interface Peers {
  ais: Pick<Client<typeof AisService>, 'listAis'>;
}

const pageSize = 100;
/** Nobody looks at more on a page. */
const mostPages = 5;

export async function listOwnAis({ ais }: Peers, caller: Caller): Promise<OwnedAi[]> {
  const all: OwnedAi[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const listed = await ais.listAis({ limit: pageSize, cursor }, { caller });
    for (const item of listed.ais) if (item.ai !== undefined) all.push(ownedAi(item));
    cursor = listed.nextCursor;
    if (cursor === undefined || cursor === '') break;
  }
  return all;
}

/** The AI of that id when it is the person's own, else null: what is somebody else's looks like nothing. */
export async function findOwnAi(peers: Peers, caller: Caller, id: string): Promise<OwnedAi | null> {
  const all = await listOwnAis(peers, caller);
  return all.find(({ ai }) => ai.id === id) ?? null;
}

function ownedAi({ ai, keys, lastSeen, undoUntil }: ListedAi): OwnedAi {
  const { id, status, permissions, ownerPrivate, revoked } = ai!;
  return {
    ai: {
      ...aiNameOf(ai!),
      id,
      status: (enumWords(AiStatusSchema).wordOf.get(status) ?? 'claimed') as OwnAi['status'],
      scopes: scopesOf(permissions),
      ownerPrivate,
      revoked,
      lastActive: lastSeen,
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
