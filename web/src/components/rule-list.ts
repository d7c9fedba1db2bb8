import { type Html, html, type Piece } from '../html.ts';
import { ACTION_COPY, KIND_COPY, type RequestKind, type RuleAction, requestKinds } from '../request-copy.ts';

/** The rule for requests of one kind. */
export interface Rule {
  action: RuleAction;
  /** Only people, and AIs with a responsible person; others are turned away. */
  checkedOnly: boolean;
  /** How many of the kind get through in a week, 1 to 1,000; null without a cap. */
  weeklyCap: number | null;
}

export type RuleRows = Readonly<Record<RequestKind, Rule>>;

/** The kinds whose rows in `next` differ from those in `present`. */
export function changedKinds(present: RuleRows, next: Partial<RuleRows>): RequestKind[] {
  return requestKinds.filter((kind) => {
    const rule = next[kind];
    return rule !== undefined && ruleWords(rule) !== ruleWords(present[kind]);
  });
}

/** A rule in words: 'Ask me, from those who are known, 5 a week'. */
function ruleWords({ action, checkedOnly, weeklyCap }: Rule): string {
  const { title } = ACTION_COPY[action];
  if (action === 'decline' || action === 'turn_away') return title;
  const known = checkedOnly ? ', only from those who are known' : '';
  return `${title}${known}${weeklyCap === null ? '' : `, ${weeklyCap} a week at most`}`;
}

/** Row by row what is and what would be; rows that stay say so. */
export function ruleDiff(present: RuleRows, next: Partial<RuleRows>): Html {
  const changed = new Set(changedKinds(present, next));
  return html`<ul class="diff">${requestKinds.map((kind) => {
    if (changed.has(kind)) return changedRow(kind, present, next);
    return diffRow(KIND_COPY[kind].title, html`<span class="soft">stays: ${ruleWords(present[kind])}</span>`);
  })}</ul>`;
}

/** The rows alone that would change. */
export function changedRules(present: RuleRows, next: Partial<RuleRows>): Html {
  return html`<ul class="diff">${changedKinds(present, next).map((kind) => changedRow(kind, present, next))}</ul>`;
}

function changedRow(kind: RequestKind, present: RuleRows, next: Partial<RuleRows>): Html {
  const then = ruleWords(next[kind] ?? present[kind]);
  return diffRow(
    KIND_COPY[kind].title,
    html`<span class="was"><span class="unseen">was: </span>${ruleWords(present[kind])}</span> <span class="becomes"><span class="unseen">becomes: </span>${then}</span>`,
  );
}

function diffRow(title: string, words: Piece): Html {
  return html`<li><span class="diff-kind">${title}</span> <span class="diff-words">${words}</span></li>`;
}
