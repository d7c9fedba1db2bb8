/** The purposes of a request between people who share no group. */
export const requestKinds = ['personal', 'introduction', 'recruiting', 'sales', 'offer', 'other'] as const;

export type RequestKind = (typeof requestKinds)[number];

/** The possible actions for requests of a kind. */
export const ruleActions = ['ask', 'front_door', 'decline', 'turn_away'] as const;

export type RuleAction = (typeof ruleActions)[number];

/** The presets for contact rules. */
export const rulePresets = [
  'just_me',
  'family',
  'job_seeker',
  'founder',
  'freelancer',
  'public_figure',
] as const;

export type RulePreset = (typeof rulePresets)[number];

/** The reasons for a report to the operator. */
export const reportReasons = [
  'spam',
  'scam',
  'harassment',
  'child_safety',
  'impersonation',
  'injection',
  'other',
] as const;

export type ReportReason = (typeof reportReasons)[number];

/** The matching word; undefined if the text is none of them. */
export function oneOf<Word extends string>(
  words: readonly Word[],
  text: string | undefined,
): Word | undefined {
  return words.find((word) => word === text);
}
