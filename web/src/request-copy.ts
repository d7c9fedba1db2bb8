/** The subjects of a request between people who share no group. */
export const requestKinds = ['personal', 'introduction', 'recruiting', 'sales', 'offer', 'other'] as const;

export type RequestKind = (typeof requestKinds)[number];

/** The possible actions for requests of a kind. */
export const ruleActions = ['ask', 'front_door', 'decline', 'turn_away'] as const;

export type RuleAction = (typeof ruleActions)[number];

/** Where rules can start from. */
export const rulePresets = [
  'just_me',
  'family',
  'job_seeker',
  'founder',
  'freelancer',
  'public_figure',
] as const;

export type RulePreset = (typeof rulePresets)[number];

/** Why something is reported to whoever runs the home. */
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

/** The one of these words that a form or a path says; undefined when it says none of them. */
export function oneOf<Word extends string>(
  words: readonly Word[],
  text: string | undefined,
): Word | undefined {
  return words.find((word) => word === text);
}
