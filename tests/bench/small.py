# SPDX-License-Identifier: GPL-3.0-or-later
"""The matrices and the clock of small.sh.  Uses the standard library only."""
import os
import random
import struct
import subprocess
import sys
import time

folder = sys.argv[1]
rng = random.Random(1)

# kind, element of NumPy, how to draw one and pack it, sizes
KINDS = {
    'real': ('<f8', lambda: struct.pack('<d', rng.gauss(0, 1)), (4, 8, 12, 16, 18)),
    'complex': ('<c16', lambda: struct.pack('<dd', rng.gauss(0, 1), rng.gauss(0, 1)), (8, 10, 12)),
    '0/1': ('|i1', lambda: struct.pack('b', rng.random() < 0.5), (8, 12, 16)),
    '+-99': ('|i1', lambda: struct.pack('b', rng.randint(-99, 99)), (8, 12)),
}


def write_npy(path, descr, count, n, element):
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({count}, {n}, {n}), }}"
    head = head.ljust(117) + '\n'
    with open(path, 'wb') as f:
        f.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode())
        f.write(b''.join(element() for _ in range(count * n * n)))


def write_stream(path, count, n):
    with open(path, 'w', encoding='ascii') as f:
        f.write('%pm: stream 1\n')
        for _ in range(count):
            f.write(f'%%MatrixMarket matrix array real general\n{n} {n}\n')
            f.writelines(f'{rng.gauss(0, 1)!r}\n' for _ in range(n * n))
        f.write('%pm: eof\n')


def seconds(path):
    best = 1e9
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run(['pm-count', '-t', '1', path], stdout=subprocess.DEVNULL, check=True)
        best = min(best, time.perf_counter() - start)
    return best


def row(kind, form, n, count, write):
    many, one = os.path.join(folder, 'many'), os.path.join(folder, 'one')
    write(many, count)
    write(one, 1)
    start = seconds(one)
    each = (seconds(many) - start) / (count - 1)
    print(f'{kind}\t{form}\t{n}\t{each * 1e6:.2f}\t{start * 1e3:.2f}', flush=True)


print('# kind\tform\tn\tmicroseconds\tone_ms')
for kind, (descr, element, sizes) in KINDS.items():
    for n in sizes:
        count = max(200, min(20000, 4000000 // 2**n))
        row(kind, 'npy', n, count, lambda path, k: write_npy(path, descr, k, n, element))
for n in (4, 8, 12):
    row('real', 'stream', n, 4000, lambda path, k: write_stream(path, k, n))
