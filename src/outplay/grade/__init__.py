"""`outplay grade FILE:function`: a student's search compared with the textbook's.

position   states that log every visit               student    how a student's function is called
cases      the trees and games it is run on          mistakes   the textbook with one mistake each
report     the comparison in words                   process    the student's code in a process of its own
worker     what runs in that process
"""

from outplay.grade.report import Report, grade
from outplay.grade.student import KINDS, load_function, named

__all__ = ["KINDS", "Report", "grade", "load_function", "named"]
