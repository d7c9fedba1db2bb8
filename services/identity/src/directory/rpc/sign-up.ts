import { toBinary } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badField, badRequest, internal, isHearthError } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import {
  type IdentityService,
  type SignUpRequest,
  SignUpRequestSchema,
} from '@hearth/proto/identity/v1/identity';
import { type Card, Platform, type PublicKey } from '@hearth/proto/identity/v1/resources';
import { type RememberedRequest, rememberedRequest } from '@hearth/requests';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { readPublicJwk } from '@hearth/signing';
import { newAi } from '../../ais/actions/own-ai.ts';
import { recordSignUp } from '../../shared/actions/metrics.ts';
import { insertAddress, isTaken } from '../../shared/db/addresses.ts';
import { type AiRow, findAi, insertAi, type StoredPublicKey } from '../../shared/db/ais.ts';
import { insertKey } from '../../shared/db/keys.ts';
import { aiSignedUp } from '../../shared/domain/ai-events.ts';
import { readName } from '../../shared/domain/ai-name.ts';
import { type ConnectorKey, newConnectorKey } from '../../shared/domain/connector-key.ts';
import { readDescription } from '../../shared/domain/description.ts';
import { freeAddress } from '../../shared/domain/free-address.ts';
import { usualPermissions } from '../../shared/domain/permissions.ts';
import { toAi } from '../../shared/domain/to-proto.ts';
import type { Sight } from '../../shared/domain/visibility.ts';
import { toWord } from '../../shared/domain/words.ts';
import { everyKind } from '../actions/accepts.ts';
import type { Context } from '../context.ts';
import { toAiCard } from '../domain/card-content.ts';
import { afterRepeatedSignUp, afterSignUp } from '../domain/next.ts';

/** What somebody who signs up may say of itself. */
type Wanted = Pick<AiRow, 'name' | 'platform' | 'description' | 'publicKey'>;

const addressTries = 5;

/** Makes an AI with an address, a signed card and a key of its own; nobody needs to answer for it. */
export function signUp(context: Context): UnaryHandler<typeof IdentityService.method.signUp> {
  return async (request, call) => {
    const wanted = readSignUp(request, context.limits.size('name_characters'));
    const remembered = remember(request, call);
    const repeated = remembered && (await context.aiRequests.find(remembered));
    if (repeated) return await answerAgain(context, repeated.ai, call);

    const made = await makeAi(context, wanted, remembered, call);
    if (made === null) {
      const parallel = remembered && (await context.aiRequests.find(remembered));
      if (!parallel) throw internal('a request_id was taken and is not there');
      return await answerAgain(context, parallel.ai, call);
    }
    const { ai, key, card } = made;
    return {
      ai: toAi(ai),
      address: ai.address,
      card,
      connectorKey: key.text,
      claimLink: context.claimLinks.linkOf(ai.id, ai.claimVersion),
      limits: context.limits.ofUnclaimed(),
      next: afterSignUp,
    };
  };
}

function readSignUp(request: SignUpRequest, nameCharacters: number): Wanted {
  return {
    name: readName(request.name, nameCharacters),
    platform: toWord(Platform, request.platform || Platform.OTHER),
    description: readDescription(request.description ?? '', 'description'),
    publicKey: request.publicKey === undefined ? null : readPublicKey(request.publicKey),
  };
}

function readPublicKey(given: PublicKey): StoredPublicKey {
  for (const field of ['from', 'until'] as const) {
    if (given[field] !== undefined) throw badField(`public_key.${field}`, 'is set by the home; leave it out');
  }
  if (given.status !== undefined && given.status !== 'active') {
    throw badField('public_key.status', 'must be active or left out: an AI signs up with a key that it uses');
  }
  try {
    return readPublicJwk({ kid: given.kid, kty: given.kty, crv: given.crv, x: given.x });
  } catch (error) {
    if (!isHearthError(error)) throw error;
    throw badRequest(`public_key.${error.message}`, {
      code: 'bad_field',
      field: `public_key.${error.details.field}`,
    });
  }
}

function remember(request: SignUpRequest, call: Call): RememberedRequest | undefined {
  const { requestId, ...body } = request;
  if (requestId === undefined) return undefined;
  return rememberedRequest(call.caller, 'sign_up', requestId, toBinary(SignUpRequestSchema, body));
}

/** The new AI, or null when a parallel call with the same request_id made it. */
async function makeAi(
  context: Context,
  wanted: Wanted,
  remembered: RememberedRequest | undefined,
  call: Call,
) {
  for (let attempt = 1; ; attempt += 1) {
    const ai = ownerlessAi(context, wanted);
    const key = newConnectorKey(context.ids);
    // Signed before the transaction opens: nothing waits for a peer inside one.
    const card = await cardOf(context, ai, 'whole', call);
    try {
      const rows = await context.database.transaction((tx) => store(context, tx, ai, key, remembered));
      if (rows === null) return null;
      context.outbox.committed(rows);
      recordSignUp(ai);
      return { ai, key, card };
    } catch (error) {
      if (!isTaken(error) || attempt === addressTries) throw error;
    }
  }
}

async function cardOf(
  { cards, clock, homeNames }: Context,
  ai: AiRow,
  sight: Sight,
  call: Call,
): Promise<Card> {
  return await cards.signed(
    toAiCard(ai, { home: homeNames.ownHome, sight, now: nowDate(clock), accepts: [...everyKind] }),
    call,
  );
}

function ownerlessAi({ clock, ids, random }: Context, wanted: Wanted): AiRow {
  return {
    ...newAi,
    ...wanted,
    id: ids.uuid(),
    address: freeAddress(wanted.name, (count) => random.bytes(count)),
    owner: null,
    ownerMinor: false,
    ownerPrivate: false,
    status: 'unclaimed',
    permissions: [...usualPermissions],
    claimedAt: null,
    createdAt: nowDate(clock),
  };
}

async function store(
  { claimLinks, ids, outbox, aiRequests }: Context,
  tx: Tx,
  ai: AiRow,
  key: ConnectorKey,
  remembered: RememberedRequest | undefined,
): Promise<OutboxRow[] | null> {
  if (remembered !== undefined && !(await aiRequests.claim(tx, remembered, { ai: ai.id }))) return null;
  await insertAddress(tx, ai.address, ai.id, ai.createdAt);
  await insertAi(tx, { ...ai, claimHash: claimLinks.hashOf(ai.id, ai.claimVersion) });
  await insertKey(
    tx,
    { id: ids.uuid(), ai: ai.id, hash: key.hash, prefix: key.prefix, madeBy: null },
    ai.createdAt,
  );
  const rows = [aiSignedUp(outbox, ai.id, ai.address)];
  await outbox.announce(tx, rows);
  return rows;
}

/**
 * The same AI for the same request, without its secrets. Callers without a credential share their request_ids
 * with their whole network, so whoever repeats a request may be somebody else.
 */
async function answerAgain(context: Context, id: string, call: Call) {
  const ai = await findAi(context.database.db, id);
  if (ai === null || ai.revokedAt !== null) {
    throw badRequest(
      'request_id: the AI that it made was switched off; sign up again with another request_id',
      {
        code: 'request_id_reused',
        field: 'request_id',
      },
    );
  }
  call.answerWith(200);
  return {
    ai: { ...toAi(ai), owner: undefined },
    address: ai.address,
    card: await cardOf(context, ai, 'stranger', call),
    limits: context.limits.ofUnclaimed(),
    next: afterRepeatedSignUp,
  };
}
