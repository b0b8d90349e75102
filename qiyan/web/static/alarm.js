// Tones for alerts: different by severity, repeated while something waits unacknowledged.
const TONES = {
  breach: { hz: [988, 740, 988, 740], step_s: 0.16, every_s: 4 },
  doubt: { hz: [660, 660], step_s: 0.22, every_s: 10 },
  notice: { hz: [440], step_s: 0.25, every_s: 30 },
};
export const SEVERITIES = ["breach", "doubt", "notice"];

export class Alarm {
  constructor(onChange) {
    this.onChange = onChange;
    this.context = null;
    this.rang = {};
    this.played = []; // what was sounded, for whoever wants to check
  }

  get enabled() {
    return this.context?.state === "running";
  }

  // Browsers let a page sound only after the person has touched it.
  async enable() {
    this.context ??= new AudioContext();
    await this.context.resume();
    this.onChange();
  }

  // `waiting`: severities of the alerts that nobody has acknowledged.
  tick(waiting) {
    const now = performance.now() / 1000;
    for (const severity of SEVERITIES) {
      if (!waiting.has(severity)) { delete this.rang[severity]; continue; }
      const tone = TONES[severity];
      if (this.rang[severity] !== undefined && now - this.rang[severity] < tone.every_s) continue;
      this.rang[severity] = now;
      this.play(severity);
      return; // the gravest only, lest tones mix
    }
  }

  play(severity) {
    this.played.push(severity);
    if (!this.enabled) return;
    const { hz, step_s } = TONES[severity];
    hz.forEach((pitch, index) => {
      const begin = this.context.currentTime + index * step_s;
      const tone = this.context.createOscillator();
      const volume = this.context.createGain();
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0, begin);
      volume.gain.linearRampToValueAtTime(0.25, begin + 0.02);
      volume.gain.linearRampToValueAtTime(0, begin + step_s * 0.95);
      tone.connect(volume).connect(this.context.destination);
      tone.start(begin);
      tone.stop(begin + step_s);
    });
  }
}
