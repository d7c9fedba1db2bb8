/** Rules that refuse people most often. Pages have a text for each; error bodies only have the code. */
export const rules = [
  'taken',
  'reserved',
  'changed_lately',
  'holds_link',
  'only_organizers',
  'only_starter',
  'only_adults',
  'no_guests',
  'not_asked',
  'only_acquaintances',
] as const;

export type Rule = (typeof rules)[number];
