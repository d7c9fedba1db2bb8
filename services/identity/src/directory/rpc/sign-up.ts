import type { MessageInitShape } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import { badField } from '@hearth/errors';
import { type Claim, requestIdUsed } from '@hearth/idempotency';
import { type Limits, sizeOf } from '@hearth/limits';
import {
  IdentityService,
  type SignUpRequest,
  type SignUpResponseSchema,
} from '@hearth/proto/identity/v1/identity';
import { type Card, Platform } from '@hearth/proto/identity/v1/resources';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { newAi } from '../../ais/module.ts';
import { recordSignUp } from '../../shared/actions/metrics.ts';
import { insertAddress, isTaken } from '../../shared/db/addresses.ts';
import { type AiRow, findAi, insertAi, isPublicKeyTaken, type StoredPublicKey } from '../../shared/db/ais.ts';
import { insertKey } from '../../shared/db/keys.ts';
import { aiSignedUp } from '../../shared/domain/ai-events.ts';
import { readName } from '../../shared/domain/ai-name.ts';
import { readDescription } from '../../shared/domain/description.ts';
import { freeAddress } from '../../shared/domain/free-address.ts';
import { usualPermissions } from '../../shared/domain/permissions.ts';
import { newKey, type SecretKey } from '../../shared/domain/secret-key.ts';
import { platforms, toAi } from '../../shared/domain/to-proto.ts';
import type { Visibility } from '../../shared/domain/visibility.ts';
import { readProvenKey } from '../actions/key-proof.ts';
import type { Context } from '../context.ts';
import { everyKind } from '../domain/accepts.ts';
import { afterRepeatedSignUp, afterSignUp } from '../domain/after-sign-up.ts';
import { toAiCard } from '../domain/card-content.ts';

/** How an AI describes itself at sign-up. */
type Wanted = Pick<AiRow, 'name' | 'platform' | 'description' | 'publicKey'>;

const addressTries = 5;

/** Creates an AI with an address, a signed card and its own key, without an owner. */
export const signUp =
  (context: Context): UnaryHandler<typeof IdentityService.method.signUp> =>
  async (request, call) => {
    const described = readWanted(request, context.limits);
    return await context.idempotency.once(call, IdentityService.method.signUp, request, {
      make: async (claim) => {
        const publicKey = await readKey(context, request, described.name, call);
        return await make(context, { ...described, publicKey }, claim, call);
      },
      repeat: ({ ai }) => answerAgain(context, ai, call),
    });
  };

function readWanted(request: SignUpRequest, limits: Limits): Omit<Wanted, 'publicKey'> {
  return {
    name: readName(request.name, sizeOf(limits, 'name_characters')),
    platform: platforms.nameOf(request.platform || Platform.OTHER),
    description: readDescription(request.description ?? '', 'description'),
  };
}

/** The AI's own signing key, if given and proven. */
async function readKey(
  context: Context,
  { publicKey, keyProof }: SignUpRequest,
  name: string,
  call: Call,
): Promise<StoredPublicKey | null> {
  const { clock, homeNames } = context;
  if (publicKey === undefined) {
    if (keyProof !== undefined) throw badField('key_proof', 'goes with the public_key that it is for');
    return null;
  }
  const key = readProvenKey(publicKey, keyProof, { home: homeNames.ownHome, name, now: clock.now() });
  await refuseHomeKeys(context, key, call);
  return key;
}

/** @throws bad_field for a key of this home, even if proven: two signers must not share a key */
async function refuseHomeKeys({ federation }: Context, { x }: StoredPublicKey, call: Call): Promise<void> {
  const { json } = await federation.getHomeDocument({}, { call });
  const { keys } = JSON.parse(json) as { keys: StoredPublicKey[] };
  if (keys.some((key) => key.x === x))
    throw badField('public_key.x', 'is a key of this home; make one of your own');
}

type Answer = MessageInitShape<typeof SignUpResponseSchema>;

async function make(
  context: Context,
  wanted: Wanted,
  claim: Claim<{ ai: string }>,
  call: Call,
): Promise<Answer> {
  const { claimLinks, ids, limits } = context;
  for (let attempt = 1; ; attempt += 1) {
    const ai = ownerlessAi(context, wanted);
    const key = newKey('ai', ids);
    // Signed before the transaction opens, since transactions must not wait for peers.
    const card = await cardOf(context, ai, 'whole', call);
    try {
      await store(context, ai, key, claim);
      recordSignUp(ai);
      return {
        ai: toAi(ai),
        address: ai.address,
        card,
        connectorKey: key.text,
        claimLink: claimLinks.linkOf(ai.id, ai.claimVersion),
        limits: unclaimedLimits(limits),
        next: afterSignUp,
      };
    } catch (error) {
      if (isPublicKeyTaken(error))
        throw badField('public_key.x', 'is the key of another AI here; make one of your own');
      if (!isTaken(error) || attempt === addressTries) throw error;
    }
  }
}

async function cardOf(
  { cards, clock, homeNames }: Context,
  ai: AiRow,
  visibility: Visibility,
  call: Call,
): Promise<Card> {
  return await cards.signed(
    toAiCard(ai, { home: homeNames.ownHome, visibility, now: nowDate(clock), accepts: [...everyKind] }),
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
  { claimLinks, commit, ids }: Context,
  ai: AiRow,
  { hash, prefix }: SecretKey,
  claim: Claim<{ ai: string }>,
): Promise<void> {
  await commit(async (tx) => {
    await claim(tx, { ai: ai.id });
    await insertAddress(tx, ai.address, ai.id, ai.createdAt);
    await insertAi(tx, { ...ai, claimHash: claimLinks.hashOf(ai.id, ai.claimVersion) });
    await insertKey(
      tx,
      { id: ids.uuid(), ai: ai.id, hash, prefix, madeBy: null, through: null },
      ai.createdAt,
    );
    tx.announce(aiSignedUp(ai.id, ai.address));
  });
}

/** Limits by name, without the unbounded ones. */
function unclaimedLimits(limits: Limits): Record<string, bigint> {
  const bounds = Object.values(limits).map(({ name, values }) => [name, values.unclaimed] as const);
  return Object.fromEntries(
    bounds.flatMap(([name, bound]) => (bound === null ? [] : [[name, BigInt(bound)]])),
  );
}

/**
 * Returns the AI without its secrets. Callers without a credential share the request_ids of their whole
 * network, so the repeat may come from someone else.
 */
async function answerAgain(context: Context, id: string, call: Call): Promise<Answer> {
  const ai = await findAi(context.database.db, id);
  if (ai === null || ai.revokedAt !== null) {
    throw requestIdUsed('the AI that it made was switched off; sign up again with another request_id');
  }
  const { owner: _, ...withoutOwner } = toAi(ai);
  return {
    ai: withoutOwner,
    address: ai.address,
    card: await cardOf(context, ai, 'stranger', call),
    limits: unclaimedLimits(context.limits),
    next: afterRepeatedSignUp,
  };
}
