// SM9 (GB/T 38635-2020).
export {};
