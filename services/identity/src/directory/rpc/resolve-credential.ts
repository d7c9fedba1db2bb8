import { parseId } from '@hearth/ids';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { CredentialRow } from '../db/credentials.ts';
import { type AgedCredential, toCaller } from '../domain/to-caller.ts';

/** The person or AI that an app says it acts for. */
interface Acting {
  kind: 'person' | 'ai';
  /** uuid; null if the text is not an id of that kind. */
  id: string | null;
}

/** Why a credential is refused; `unknown` gets the same answer as a credential that never existed. */
type Refusal =
  | 'unknown'
  | 'key_revoked'
  | 'ended'
  | 'not_an_app'
  | 'not_held'
  | 'child'
  | 'no_guardian'
  | 'suspended';

/** The caller behind a credential. */
export function resolveCredential({
  ages,
  clock,
  config: { siteUrl },
  credentials,
}: Context): UnaryHandler<typeof IdentityService.method.resolveCredential> {
  const audiences = new Set([siteUrl, `${siteUrl}/v0`, `${siteUrl}/mcp`]);
  return async ({ hash, actingFor }) => {
    const acting = actingFor === '' ? null : readActing(actingFor);
    const found = await credentials.find(hash, acting?.id ?? null);
    if (found === null) return {};
    const row = withAge(found, ages);
    const refusal = refusalOf(row, acting, clock.now(), audiences);
    if (refusal === 'unknown') return {};
    if (refusal === 'suspended') {
      const { of, reason, until } = suspensionBehind(row, clock.now())!;
      return { refusal, suspended: of, reason, suspendedUntil: BigInt(until.getTime()) };
    }
    if (refusal !== null) return { refusal };
    const audience = row.kind === 'token' ? (oursOf(row.audience, audiences) ?? '') : '';
    return { caller: toCaller(row), endsAt: BigInt(row.endsAt?.getTime() ?? 0), audience };
  };
}

/** An app's own key and an AI without an owner have no person. */
function withAge(row: CredentialRow, ages: Context['ages']): AgedCredential & { held: boolean } {
  const { ageBand, birth, guarded, person } = row;
  const band = person === null || ageBand === null ? 'adult' : ages.bandOf({ id: person, ageBand, birth });
  return { ...row, minor: band !== 'adult', held: band === 'child' && !guarded };
}

function readActing(text: string): Acting {
  if (text.startsWith('ai_')) return { kind: 'ai', id: parseId('ai', text) };
  return { kind: 'person', id: parseId('per', text) };
}

/** @param row `held`: a child under 13 without a guardian, whose account is frozen until its app names one */
function refusalOf(
  row: AgedCredential & { held: boolean },
  acting: Acting | null,
  now: number,
  audiences: ReadonlySet<string>,
): Refusal | null {
  if (row.kind === 'token' && oursOf(row.audience, audiences) === undefined) return 'unknown';
  if (row.revokedAt !== null) return 'key_revoked';
  if (row.endsAt !== null && row.endsAt.getTime() <= now) return isSignIn(row) ? 'ended' : 'key_revoked';
  if (acting !== null && row.kind !== 'app') return 'not_an_app';
  if (acting !== null && !holds(row, acting)) return 'not_held';
  if (suspensionBehind(row, now) !== undefined) return 'suspended';
  // The guardian decides whether a child's AIs may act at all.
  if (row.ai !== null && row.minor && !row.aiShare) return 'child';
  if (row.held) return 'no_guardian';
  return null;
}

/** The suspension in force: of the AI, the account or the app. */
function suspensionBehind(row: CredentialRow, now: number) {
  return [
    { of: 'AI', until: row.aiUntil, reason: row.aiReason ?? '' },
    { of: 'account', until: row.personUntil, reason: row.personReason ?? '' },
    { of: 'app', until: row.appUntil, reason: row.appReason ?? '' },
  ].find(
    (suspension): suspension is { of: string; until: Date; reason: string } =>
      (suspension.until?.getTime() ?? 0) > now,
  );
}

/** Sessions and tokens expire in the ordinary course, and the holder signs in again; keys are revoked. */
function isSignIn({ kind }: CredentialRow): boolean {
  return kind === 'session' || kind === 'token';
}

function holds({ ai, person }: CredentialRow, { kind }: Acting): boolean {
  return kind === 'ai' ? ai !== null : ai === null && person !== null;
}

/**
 * The address of this home that the token was issued for; a token for another resource is not valid here (RFC
 * 8707).
 */
function oursOf(audience: unknown, audiences: ReadonlySet<string>): string | undefined {
  const named = Array.isArray(audience) ? audience : [audience];
  // The origin may have a trailing slash.
  return named.map((each) => String(each).replace(/\/$/, '')).find((each) => audiences.has(each));
}
