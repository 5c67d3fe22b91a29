// The clocks of a game: they run for whoever is to move, and go back with what is taken back.

const LOW = 10_000; // milliseconds

export class Clock {
  /**
   * @param {HTMLElement[]} faces show the time of each side
   * @param {(side: number) => void} flag is called when a side has none left
   * @param {() => void} low when it has little
   */
  constructor(faces, flag, low) {
    this.faces = faces;
    this.flag = flag;
    this.low = low;
  }

  /** Let a side's time run; nobody's for -1. */
  run(game, side) {
    this.stop();
    if (game.left) game.times[game.cursor] ??= [...game.left];
    this.show(game);
    if (!game.left || side < 0) return;
    let then = performance.now();
    this.ticking = setInterval(() => {
      const now = performance.now();
      const had = game.left[side];
      game.left[side] = Math.max(0, had - (now - then));
      if (had > LOW && game.left[side] <= LOW) this.low();
      then = now;
      this.show(game);
      if (game.left[side] <= 0) this.flag(side);
    }, 100);
  }

  stop() {
    clearInterval(this.ticking);
  }

  /** A move was made. */
  press(game, side) {
    if (game.left && side >= 0) game.left[side] += 1000 * increment(game);
  }

  /** What was left when the position at the cursor was reached. */
  restore(game) {
    const then = game.times?.[game.cursor];
    if (game.left && then) game.left = [...then];
  }

  /** Seconds that a machine takes for a move at most, so that its time lasts. */
  share(game, side) {
    return Math.min(60, Math.max(0.02, game.left[side] / 30000 + 0.7 * increment(game)));
  }

  show(game) {
    this.faces.forEach((face, side) => {
      face.hidden = !game.left;
      if (!game.left) return;
      const seconds = Math.max(0, game.left[side]) / 1000;
      const rest = seconds < 20 ? (seconds % 60).toFixed(1).padStart(4, '0') : String(Math.floor(seconds % 60)).padStart(2, '0');
      face.textContent = `${Math.floor(seconds / 60)}:${rest}`;
      face.classList.toggle('short', seconds < 20);
    });
  }
}

const increment = (game) => Number(game.clock.split('+')[1] || 0);
