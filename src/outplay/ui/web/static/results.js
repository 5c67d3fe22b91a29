// What was answered in quizzes, as a table that a lecturer can read: every try, in its order.

import { download, toast } from './dom.js';

const KEY = 'outplay.results';
const MOST = 5000; // tries that are remembered
const HEAD = ['time', 'quiz', 'question', 'answer', 'verdict'];

/** @typedef {[string, string, string, string, string]} Try when, in which quiz, what was asked, what was said, right or not */

export class Results {
  constructor() {
    this.quiz = '';
    /** @type {Try[]} */
    this.tries = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
  }

  /**
   * Another quiz is on the page.
   * @param {string} address
   */
  begin(address) {
    this.quiz = address;
  }

  /**
   * Note a try: what a field says now, and whether that is right; null withdraws it.
   * @param {HTMLInputElement | HTMLButtonElement} field
   * @param {boolean | null} right
   */
  note(field, right) {
    const crossed = field.getAttribute('aria-pressed');
    const answer = crossed === null ? field.value : crossed === 'true' ? 'crossed out' : '';
    const verdict = right === null ? 'withdrawn' : right ? 'right' : 'wrong';
    const said = [this.quiz, field.getAttribute('aria-label') ?? '', answer, verdict];
    const last = this.tries.findLast(([, quiz, question]) => quiz === said[0] && question === said[1]);
    if (last?.slice(1).join() === said.join()) return; // the same said again
    this.tries.push(/** @type {Try} */ ([new Date().toISOString(), ...said]));
    this.tries = this.tries.slice(-MOST);
    sessionStorage.setItem(KEY, JSON.stringify(this.tries));
  }

  /** All tries as a CSV file (RFC 4180). */
  text() {
    const cell = (/** @type {string} */ text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    return [HEAD, ...this.tries].map((row) => row.map(cell).join(',')).join('\r\n');
  }

  save() {
    if (!this.tries.length) { toast('Nothing has been answered yet.', 'fine'); return; }
    download('quiz-results.csv', new Blob([this.text()], { type: 'text/csv' }));
  }
}
