import { createLru } from '@hearth/cache/lru';
import type { Language } from './language.ts';

/** A reader's choice of language, as far as it is known. */
export interface Reader {
  /** The account's `language` (BCP 47); empty if the person chose none. */
  language?: string;
  /** The Accept-Language header of their browser. */
  accepts?: string | undefined;
}

/** The languages in which a home talks. */
export interface Languages {
  readonly all: readonly Language[];
  /** The reader's language: by their account, then their browser, then the home's default. */
  of(reader: Reader): Language;
}

const maxRanges = 12;
const maxKnown = 500;

/**
 * Chooses among these languages. A region or script that the home lacks falls back to the language: `de-CH` to `de`.
 *
 * @param fallback for readers whose languages the home doesn't have
 */
export function createLanguages(all: readonly Language[], fallback: Language): Languages {
  const byTag = indexLanguages(all);
  const known = createLru<{ language: Language | undefined }>(maxKnown);

  /** By the tag, then by its prefixes, as RFC 4647 looks it up. */
  function look(range: string): Language | undefined {
    for (let tag = maximize(range); tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
      const language = byTag.get(tag);
      if (language !== undefined) return language;
    }
    return undefined;
  }

  function find(ranges: string | undefined): Language | undefined {
    if (ranges === undefined || ranges === '') return undefined;
    const kept = known.get(ranges);
    if (kept !== undefined) return kept.language;
    const language = rangesIn(ranges)
      .map(look)
      .find((found) => found !== undefined);
    known.set(ranges, { language });
    return language;
  }

  return { all, of: ({ language, accepts }) => find(language) ?? find(accepts) ?? fallback };
}

/** Languages by every tag that leads to them. The plain language takes precedence over its regions. */
function indexLanguages(all: readonly Language[]): Map<string, Language> {
  const index = new Map(all.map((language) => [maximize(language.tag), language]));
  for (const language of [...all].sort((one, other) => one.tag.length - other.tag.length)) {
    const parts = maximize(language.tag).split('-');
    for (let length = parts.length - 1; length > 0; length -= 1) {
      const prefix = parts.slice(0, length).join('-');
      if (!index.has(prefix)) index.set(prefix, language);
    }
  }
  return index;
}

/** Adds the likely script and region, so that `zh-TW` counts as Traditional Chinese; empty for invalid tags. */
function maximize(tag: string): string {
  try {
    return new Intl.Locale(tag).maximize().baseName;
  } catch {
    return '';
  }
}

const item = /^\s*([A-Za-z0-9-]{1,35})\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/;

/** The language ranges of an Accept-Language header (RFC 9110, section 12.5.4), the preferred one first. */
function rangesIn(header: string): string[] {
  return header
    .split(',', maxRanges)
    .flatMap((text) => {
      const [, range, quality = '1'] = item.exec(text) ?? [];
      return range === undefined || Number(quality) === 0 ? [] : [{ range, quality: Number(quality) }];
    })
    .sort((one, other) => other.quality - one.quality)
    .map(({ range }) => range);
}
