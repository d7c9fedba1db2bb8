import type { DescEnum, JsonObject } from '@bufbuild/protobuf';
import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt';
import { enumNames } from '@hearth/enum-names';
import { readText } from '@hearth/i18n';
import type { Ai } from '@hearth/proto/identity/v1/resources';
import { PlatformSchema } from '@hearth/proto/identity/v1/resources';
import { type Scope as ScopeNumber, ScopeSchema } from '@hearth/proto/options';
import {
  type AiName,
  knownScopes,
  localPath,
  othersText,
  PLATFORM_COPY,
  type Platform,
  plainText,
  type Scope,
  type Words,
} from '@hearth/web';

/** The name of an enum's value on pages; values of later versions get the usual name. */
export function nameOf<Name extends string>(schema: DescEnum, value: number, usual: Name): Name {
  return (enumNames(schema).nameOf(value) || usual) as Name;
}

/** An AI's permissions by the names that pages and forms use. */
export function scopesOf(permissions: readonly ScopeNumber[]): Scope[] {
  return knownScopes(permissions.map(enumNames(ScopeSchema).nameOf));
}

/** An AI's name, address and platform, as lists show them. */
export function aiNameOf({ name, address, platform }: Pick<Ai, 'name' | 'address' | 'platform'>): AiName {
  const known = nameOf<Platform>(PlatformSchema, platform ?? 0, 'other');
  return { name, address, platform: Object.hasOwn(PLATFORM_COPY, known) ? known : 'other' };
}

/** Milliseconds since 1970; undefined without a time. */
export function msOf(time: Timestamp | undefined): number | undefined {
  return time === undefined ? undefined : timestampMs(time);
}

/** The receipt's path within this home, so that links on our pages stay here. */
export function receiptPath(receipt: string | undefined, siteUrl: string): string | undefined {
  if (receipt === undefined || !receipt.startsWith(`${siteUrl}/r/`)) return undefined;
  return localPath(receipt.slice(siteUrl.length));
}

/** The next step after an invite was accepted, for the page's reader. */
export function nextWords({ next = '', wording }: { next?: string; wording?: JsonObject }): Words {
  const words = readText(wording?.['next'], next, undefined, othersText);
  return typeof words === 'string' ? plainText(words, 300) : words;
}
