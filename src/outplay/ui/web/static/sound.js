// Short sounds for what happens on the board, made on the spot. They can be switched off.

const KEY = 'outplay.sound';
const NOTES = { // frequency, seconds, loudness, shape of the wave
  move: [[320, 0.05, 0.25, 'triangle']],
  capture: [[180, 0.08, 0.35, 'triangle'], [120, 0.09, 0.25, 'sine']],
  alarm: [[520, 0.09, 0.2, 'triangle'], [660, 0.12, 0.2, 'triangle']],
  low: [[880, 0.08, 0.15, 'square']],
  end: [[392, 0.14, 0.22, 'triangle'], [494, 0.14, 0.22, 'triangle'], [587, 0.28, 0.22, 'triangle']],
};

/** @type {AudioContext | null} */
let context = null;

export const isOn = () => localStorage.getItem(KEY) !== 'off';

export function switchTo(on) {
  localStorage.setItem(KEY, on ? 'on' : 'off');
}

/** Nobody may be startled: a page that nobody has touched yet stays silent. */
export function sound(name) {
  if (!isOn() || !navigator.userActivation?.hasBeenActive || !window.AudioContext) return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [frequency, seconds, loud, type] of NOTES[name]) {
    const tone = new OscillatorNode(context, { type, frequency });
    const volume = new GainNode(context, { gain: loud });
    volume.gain.setValueAtTime(loud, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += 0.7 * seconds;
  }
}
