/** The longest address part of an AI, without `ai-`. */
const maxSlugLength = 30;

const slugShape = /^[a-z0-9-]{1,30}$/;

/** ASCII spellings of letters that NFKD does not decompose. */
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
 * The address part for an AI's display name: lower-case a-z, 0-9 and single hyphens, 1 to 30 characters; `ai` if
 * nothing of the name is left. Two names may yield the same slug: see numberSlug.
 */
export function aiNameToSlug(displayName: string): string {
  const folded = displayName
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[ßæœøđðþłħıŋ]/g, (letter) => spelledOut[letter] ?? '')
    // Marks and apostrophes are dropped (`Zoë's` becomes `zoes`); everything else that is not a letter becomes a
    // hyphen.
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase();
  const slug = trimHyphens(folded.replace(/[^a-z0-9]+/g, '-')).slice(0, maxSlugLength);
  return trimHyphens(slug) || 'ai';
}

/** `slug` with `-<number>` appended, still at most 30 characters: the next candidate if one is taken. */
export function numberSlug(slug: string, number: number): string {
  const suffix = `-${number}`;
  return trimHyphens(slug.slice(0, maxSlugLength - suffix.length)) + suffix;
}

function trimHyphens(text: string): string {
  return text.replace(/^-+/, '').replace(/-+$/, '');
}
