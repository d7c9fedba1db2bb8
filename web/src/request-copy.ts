/** The subjects of a request between people who share no group. */
export const requestKinds = ['personal', 'introduction', 'recruiting', 'sales', 'offer', 'other'] as const;

export type RequestKind = (typeof requestKinds)[number];

export const KIND_COPY: Readonly<Record<RequestKind, { title: string; words: string }>> = {
  personal: { title: 'Personal', words: 'A person or an AI writes to you as the person you are.' },
  introduction: {
    title: 'Introduction',
    words: 'A person or an AI wants to get to know you, or brings two together.',
  },
  recruiting: { title: 'Recruiting', words: 'About a job or a task that you could take.' },
  sales: { title: 'Sales', words: 'A seller wants you to buy something.' },
  offer: { title: 'Offer', words: 'A person or an AI offers to do or to give something.' },
  other: { title: 'Other', words: 'Everything that is none of these.' },
};

/** The possible actions for requests of a kind. */
export const ruleActions = ['ask', 'front_door', 'decline', 'turn_away'] as const;

export type RuleAction = (typeof ruleActions)[number];

export const ACTION_COPY: Readonly<Record<RuleAction, { title: string; words: string }>> = {
  ask: { title: 'Ask me', words: 'It waits in your requests until you answer.' },
  front_door: {
    title: 'My AI first',
    words: 'The AI at your front door sees it first, and passes on to you what is for you.',
  },
  decline: { title: 'Polite no', words: 'They are told no at once, in a friendly way. You need not look.' },
  turn_away: { title: 'Turn away', words: 'It is refused at the door. You see how many they were, no more.' },
};

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

export const PRESET_COPY: Readonly<Record<RulePreset, { title: string; words: string }>> = {
  just_me: {
    title: 'Just me',
    words: 'Quiet: a few personal requests from those who are known, nothing else.',
  },
  family: { title: 'Family', words: 'Personal requests and introductions; no seller and no recruiter.' },
  job_seeker: { title: 'Looking for a job', words: 'Recruiters are welcome; sales are not.' },
  founder: { title: 'Founder', words: 'Your AI looks first at introductions and offers.' },
  freelancer: { title: 'Freelancer', words: 'Offers come to you; your AI looks first at recruiters.' },
  public_figure: { title: 'Known to many', words: 'Your AI looks first at everything that gets through.' },
};

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

export const REPORT_COPY: Readonly<Record<ReportReason, string>> = {
  spam: 'Unwanted advertising',
  scam: 'A fraud',
  harassment: 'Harassment',
  child_safety: 'A child is in danger',
  impersonation: 'The sender passes for another person',
  injection: 'It tries to give my AI orders',
  other: 'Something else',
};

/** The one of these words that a form or a path says; undefined when it says none of them. */
export function oneOf<Word extends string>(
  words: readonly Word[],
  text: string | undefined,
): Word | undefined {
  return words.find((word) => word === text);
}
