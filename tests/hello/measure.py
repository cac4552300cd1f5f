"""measure.py COMMAND ...: runs it and prints its wall time and its largest process."""
import resource
import subprocess
import sys
import time

start = time.perf_counter()
code = subprocess.call(sys.argv[1:])
seconds = time.perf_counter() - start
megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"hello.cpp: {seconds:.2f} s, {megabytes:.0f} MB")
sys.exit(code)
