/** The longest address part of an AI, without its `ai-`. */
const maxSlugLength = 30;

const slugShape = /^[a-z0-9-]{1,30}$/;

/** Letters that NFKD does not take apart, in their usual ASCII spelling. */
const spelledOut: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'ng',
};

export function isAiSlug(text: string): boolean {
  return slugShape.test(text);
}

/**
 * The address part for an AI's display name: lower-case a-z, 0-9 and single hyphens, 1 to 30
 * characters, `ai` where nothing of the name is left. Two names may give the same one: see numberSlug.
 */
export function aiNameToSlug(displayName: string): string {
  const folded = displayName
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[ßæœøđðþłħıŋ]/g, (letter) => spelledOut[letter] ?? '')
    // Marks and apostrophes vanish (`Zoë's` is `zoes`), everything else that is no letter becomes a hyphen.
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase();
  const slug = trimHyphens(folded.replace(/[^a-z0-9]+/g, '-')).slice(0, maxSlugLength);
  return trimHyphens(slug) || 'ai';
}

/** `slug` with `-<number>` behind it, still at most 30 characters: the next to try when one is taken. */
export function numberSlug(slug: string, number: number): string {
  const suffix = `-${number}`;
  return trimHyphens(slug.slice(0, maxSlugLength - suffix.length)) + suffix;
}

function trimHyphens(text: string): string {
  return text.replace(/^-+/, '').replace(/-+$/, '');
}
