import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Ai } from '@hearth/proto/identity/v1/resources';
import { PlatformSchema } from '@hearth/proto/identity/v1/resources';
import { type Scope as ScopeNumber, ScopeSchema } from '@hearth/proto/options';
import { enumWords } from '@hearth/proto-json';
import { type AiName, knownScopes, PLATFORM_WORDS, type Platform, type Scope } from '@hearth/web';

/** The permissions of an AI in the words that pages and forms have for them. */
export function scopesOf(permissions: readonly ScopeNumber[]): Scope[] {
  const { wordOf } = enumWords(ScopeSchema);
  return knownScopes(permissions.map((permission) => wordOf.get(permission) ?? ''));
}

/** An AI as it is shown beside others. */
export function aiNameOf({ name, address, platform }: Pick<Ai, 'name' | 'address' | 'platform'>): AiName {
  const word = enumWords(PlatformSchema).wordOf.get(platform) ?? '';
  return { name, address, platform: Object.hasOwn(PLATFORM_WORDS, word) ? (word as Platform) : 'other' };
}

type Moment = Parameters<typeof timestampMs>[0];

/** Milliseconds since 1970; undefined for what is not given. */
export function msOf(moment: Moment | undefined): number | undefined {
  return moment === undefined ? undefined : timestampMs(moment);
}
