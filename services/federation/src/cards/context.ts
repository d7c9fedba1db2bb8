import type { Cards } from './actions/fetch-card.ts';

export interface Context {
  cards: Cards;
}
